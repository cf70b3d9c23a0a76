// One stream a browser: the tab that holds the lock reads it and passes everything on to the others.

const AGAIN_MS = 2000;
const KINDS = ["rung", "steps", "second", "signals", "part", "tick", "end"];
const MESSAGE = /^event: (.*)\n(?:id: (.*)\n)?data: (.*)$/gm;

/** Calls `hear(kind, content)` for every message from a place on, whichever tab reads the stream. */
export class Feed {
  #source = null;
  #channel = null;
  #running = null; // ends when the tab stops: its lock is then another one's
  #held = null; // what others passed on while this tab catches up

  constructor(address, place, name, hear) {
    Object.assign(this, { address, place, name, hear, over: false });
  }

  /** Begins, or goes on where it was. */
  start() {
    if (this.over || this.#channel !== null) return;
    this.#running = new AbortController();
    this.#channel = new BroadcastChannel(this.name);
    this.#channel.onmessage = ({ data }) => {
      if (this.#source !== null) return;
      if (this.#held !== null) this.#held.push(data);
      else this.#take(data);
    };
    const { locks } = navigator;
    const { signal } = this.#running;
    if (locks === undefined) return this.#open(); // an address that is not this machine's: one stream a tab
    locks.request(this.name, { ifAvailable: true }, (lock) => {
      if (lock !== null) return this.#lead(signal);
      locks.request(this.name, { signal }, () => this.#lead(signal)).catch(() => {}); // stopped before
      this.#catchUp();
    });
  }

  /** Stops until the next `start`; another tab takes over. */
  stop() {
    this.#running?.abort();
    this.#source?.close();
    this.#channel?.close();
    this.#source = this.#channel = this.#held = null;
  }

  /** Reads the stream until the tab stops. */
  #lead(signal) {
    if (signal.aborted) return undefined;
    this.#open();
    return new Promise((done) => signal.addEventListener("abort", done));
  }

  get #from() {
    return `${this.address}?from=${encodeURIComponent(this.place)}`;
  }

  #open() {
    const source = new EventSource(this.#from);
    this.#source = source;
    for (const kind of KINDS) {
      source.addEventListener(kind, ({ data, lastEventId }) => {
        const message = { kind, text: data, place: lastEventId };
        this.#take(message);
        this.#channel?.postMessage(message);
      });
    }
    source.addEventListener("error", () => {
      // The browser connects again by itself, unless the answer was no stream at all.
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(() => this.#source === source && this.#open(), AGAIN_MS);
    });
  }

  /** Reads what is there by now, and then what the others passed on meanwhile. */
  async #catchUp() {
    this.#held = [];
    try {
      const answer = await fetch(`${this.#from}&once=1`);
      const text = answer.ok ? await answer.text() : "";
      for (const [, kind, place, data] of text.matchAll(MESSAGE)) this.#take({ kind, text: data, place });
    } catch {
      // The tab that reads the stream says that the connection is lost.
    }
    const held = this.#held ?? [];
    this.#held = null;
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
