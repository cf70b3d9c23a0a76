// What a screen reader is told: politely, a message in five seconds at most, and none twice in a row.

const LEAST_MS = 5000;
const MOST_NEWS = 3;

export class Speech {
  #place;
  #last = "";
  #at = -Infinity;
  #news = []; // texts that wait
  #timer = 0;

  constructor(place) {
    this.#place = place;
  }

  /** Says at once what the reader has asked for. */
  answer(text) {
    this.#tell(text);
  }

  /** Says what happened as soon as it may be said; of many the newest. */
  news(text) {
    this.#news = [...this.#news, text].slice(-MOST_NEWS);
    if (this.#timer !== 0) return;
    const wait = Math.max(this.#at + LEAST_MS - performance.now(), 0);
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      const told = this.#news.join(". ");
      this.#news = [];
      this.#tell(told);
    }, wait);
  }

  /** Says how things stand, unless that was just said or something else was. */
  summary(text) {
    if (this.#timer === 0 && performance.now() - this.#at >= LEAST_MS) this.#tell(text);
  }

  #tell(text) {
    this.#at = performance.now();
    if (text === this.#last) return;
    this.#last = text;
    this.#place.textContent = text;
  }
}
