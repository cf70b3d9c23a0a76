// Browsers start no worker for a page that was opened from a folder. There the search of the site runs in a hidden frame,
// which has the two sides of a worker: messages to it and from it.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inside = frame.contentWindow;
      this.waiting = [];
      this.inside.postMessage = (data) => setTimeout(() => this.hear("message", data));
      this.inside.importScripts = (...names) => Promise.all(names.map((name) => this.load(new URL(name, address))));
      this.load(new URL(address, location.href)).then(
        () => {
          const waiting = this.waiting;
          this.waiting = null;
          waiting.forEach((data) => this.tell(data));
        },
        () => this.hear("error")
      );
    }

    load(address) {
      return new Promise((done, failed) => {
        const script = this.inside.document.createElement("script");
        Object.assign(script, { src: address.href, onload: done, onerror: failed });
        this.inside.document.head.append(script);
      });
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else setTimeout(() => this.tell(data));
    }

    tell(data) {
      this.inside.dispatchEvent(new this.inside.MessageEvent("message", { data }));
    }

    hear(kind, data) {
      const event = new MessageEvent(kind, { data });
      this.dispatchEvent(event);
      if (this[`on${kind}`]) this[`on${kind}`](event);
    }

    terminate() {
      this.inside.frameElement.remove();
    }
  };
}
