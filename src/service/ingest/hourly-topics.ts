import { HOUR_MS } from '../../domain/periods.ts';

/** With more topics, the one that was reported first is forgotten. */
const MAX_TOPICS = 1_000;

/** Topics that are reported at most once an hour, however often something is published there. */
export class HourlyTopics {
  readonly #reportedAt = new Map<string, number>();

  /** True for the first message of an hour. */
  report(topic: string, now: number): boolean {
    const reportedAt = this.#reportedAt.get(topic);
    if (reportedAt !== undefined && now - reportedAt < HOUR_MS) return false;

    this.#reportedAt.delete(topic);
    this.#reportedAt.set(topic, now);
    const [oldest] = this.#reportedAt.keys();
    if (this.#reportedAt.size > MAX_TOPICS && oldest !== undefined) this.#reportedAt.delete(oldest);
    return true;
  }
}
