// One stream a browser: the tab that holds the lock reads it and passes everything on to the others.

const AGAIN_MS = 2000;

/** Calls `hear(kind, content)` for every message from a place on, each once, whichever tab reads the stream. */
export class Feed {
  constructor(address, place, name, hear) {
    this.address = address;
    this.place = place;
    this.name = name;
    this.hear = hear;
    this.source = null;
    this.channel = null;
    this.release = null;
    this.waiting = null; // the wish to lead, while another tab does
    this.held = null; // what others passed on while this tab catches up
    this.over = false;
  }

  /** Begins, or goes on where it was. */
  start() {
    if (this.over || this.channel !== null) return;
    this.channel = new BroadcastChannel(this.name);
    this.channel.onmessage = (event) => {
      if (this.source !== null) return;
      if (this.held !== null) this.held.push(event.data);
      else this.#take(event.data);
    };
    if (navigator.locks === undefined) {
      this.#open(); // an address that is not this machine's: one stream a tab
      return;
    }
    navigator.locks.request(this.name, { ifAvailable: true }, (lock) => {
      if (lock === null) {
        this.#wait();
        return this.#catchUp();
      }
      return this.#lead();
    });
  }

  /** Stops until the next `start`; another tab takes over. */
  stop() {
    this.source?.close();
    this.source = null;
    this.channel?.close();
    this.channel = null;
    this.waiting?.abort();
    this.waiting = null;
    this.release?.();
    this.release = null;
    this.held = null;
  }

  #wait() {
    this.waiting = new AbortController();
    navigator.locks
      .request(this.name, { signal: this.waiting.signal }, () => (this.channel === null ? undefined : this.#lead()))
      .catch(() => {}); // it was stopped while it waited
  }

  #lead() {
    this.#open();
    return new Promise((done) => {
      this.release = done;
    });
  }

  #open() {
    const source = new EventSource(`${this.address}?from=${encodeURIComponent(this.place)}`);
    this.source = source;
    for (const kind of ["rung", "second", "signals", "part", "tick", "end"]) {
      source.addEventListener(kind, (event) => {
        const message = { kind, text: event.data, place: event.lastEventId };
        this.#take(message);
        this.channel?.postMessage(message);
      });
    }
    source.addEventListener("error", () => {
      // The browser connects again by itself, unless the answer was no stream at all.
      if (source.readyState !== EventSource.CLOSED || this.source !== source) return;
      setTimeout(() => {
        if (this.source === source && !this.over) this.#open();
      }, AGAIN_MS);
    });
  }

  /** Reads what is there by now, and then what the others passed on meanwhile. */
  async #catchUp() {
    this.held = [];
    try {
      const answer = await fetch(`${this.address}?from=${encodeURIComponent(this.place)}&once=1`);
      if (answer.ok) for (const message of parsed(await answer.text())) this.#take(message);
    } catch {
      // The tab that reads the stream says that the connection is lost.
    }
    const held = this.held ?? [];
    this.held = null;
    for (const message of held) this.#take(message);
  }

  #take({ kind, text, place }) {
    if (place) this.place = place;
    const content = JSON.parse(text);
    if (kind === "end" && content.over) {
      this.over = true;
      this.stop();
    }
    this.hear(kind, content);
  }
}

function* parsed(text) {
  for (const block of text.split("\n\n")) {
    const fields = Object.fromEntries(
      block
        .split("\n")
        .filter((line) => !line.startsWith(":") && line.includes(": "))
        .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
    );
    if (fields.event && fields.data) yield { kind: fields.event, text: fields.data, place: fields.id ?? "" };
  }
}
