// What is still to be sent in a storm, and what came of it: nothing is over before it was acknowledged.

/** A delivery that was refused so often is a fault. */
const MOST_TRIES = 50;

/** How far a storm is: of all who send. */
export class Progress {
  #watchers = [];
  acknowledged = 0;
  resent = 0;

  /** @param total deliveries */
  constructor(total) {
    this.total = total;
  }

  /** Calls `act` once `at` deliveries are acknowledged. */
  when(at, act) {
    this.#watchers.push({ at, act });
  }

  /** One more was acknowledged. */
  step() {
    this.acknowledged += 1;
    const due = this.#watchers.filter(({ at }) => this.acknowledged >= at);
    this.#watchers = this.#watchers.filter(({ at }) => this.acknowledged < at);
    for (const { act } of due) act();
  }
}

/** Deliveries that several senders share. */
export class Deliveries {
  #queue;
  #progress;
  #open = 0;
  #waiting = [];

  /** @param events in the order in which they are to be sent */
  constructor(events, progress) {
    this.#queue = events.map((event) => ({ event, tries: 0 }));
    this.#progress = progress;
  }

  /** The next one to send; null when all are acknowledged. Waits where others may bring theirs back. */
  async take() {
    while (this.#queue.length === 0) {
      if (this.#open === 0) return null;
      await new Promise((done) => this.#waiting.push(done));
    }
    this.#open += 1;
    return this.#queue.shift();
  }

  /** It was acknowledged. */
  done() {
    this.#progress.step();
    this.#settle();
  }

  /** It was not: it is sent again, as it is. @throws Error for one that nobody takes */
  back(delivery, why) {
    delivery.tries += 1;
    if (delivery.tries > MOST_TRIES)
      throw new Error(`${delivery.event.event_id} was refused ${MOST_TRIES} times, at last: ${why}`);
    this.#progress.resent += 1;
    this.#queue.push(delivery);
    this.#settle();
  }

  #settle() {
    this.#open -= 1;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
