import { MAX_SHORT_TEXT } from '../../../domain/text/greatest-lengths.ts';
import type { PayloadMap } from '../../../schema/ingest/payload-map.ts';
import { matchTopic, unitTopics } from './payload-map.ts';

/** On a shared broker anything can publish. */
const MAX_TOPICS = 10_000;

/** The last text of each topic that holds the unit of values published elsewhere. */
export class TopicValues {
  readonly #patterns: readonly string[];
  readonly #values = new Map<string, string>();

  constructor(map: PayloadMap) {
    this.#patterns = unitTopics(map);
  }

  get(topic: string): string | undefined {
    return this.#values.get(topic);
  }

  /** False for a topic that holds no unit. */
  record({ topic, payload }: { readonly topic: string; readonly payload: Uint8Array }): boolean {
    if (!this.#patterns.some((pattern) => matchTopic(pattern, topic) !== null)) return false;
    if (this.#values.size < MAX_TOPICS || this.#values.has(topic))
      this.#values.set(topic, textOf(payload));
    return true;
  }
}

/** Home Assistant publishes a state as it is, and an attribute as JSON. */
function textOf(payload: Uint8Array): string {
  const text = Buffer.from(payload.subarray(0, MAX_SHORT_TEXT)).toString();
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
