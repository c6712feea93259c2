import { setTimeout as pause } from 'node:timers/promises';
import { ConsiderateClient } from './considerate-client.ts';
import type { HttpAnswer } from './http-connection.ts';
import { earlierEraPost, newerEraPost } from './mcp-message.ts';
import { Outcomes } from './outcomes.ts';
import type { AttackPlan, OutcomeCounts } from './plan.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** "Try again in a few seconds." */
const MS_AFTER_REFUSAL = 3_000;

type ToolCall = readonly [name: string, args: object];

/** The calls of an assistant in a conversation about one probe. */
const conversation = (module: string, round: number): readonly ToolCall[] => {
  const startedAt = new Date(Date.now() - 300 * DAY_MS + round * HOUR_MS).toISOString();
  return [
    ['farm_overview', {}],
    ['morning_brief', {}],
    ['get_moisture_series', { module }],
    ['log_watering', { module, startedAt, inputMode: 'duration', durationMin: 30 }],
    ['list_waterings', { module }],
    ['review_waterings', { module }],
  ];
};

/** A key that calls one tool after the other. Every other assistant is of the newer era. */
export class Assistant {
  readonly #outcomes = new Outcomes();
  readonly #plan: AttackPlan;
  readonly #index: number;

  constructor(plan: AttackPlan, index: number) {
    this.#plan = plan;
    this.#index = index;
  }

  start(): void {
    void this.#talk();
  }

  report(): OutcomeCounts {
    return this.#outcomes.counts();
  }

  async #talk(): Promise<never> {
    const { base, probes, assistantKeys } = this.#plan;
    const client = new ConsiderateClient({ 'x-api-key': assistantKeys[this.#index]! });
    const url = new URL('/mcp', base);

    for (let round = this.#index; ; round += assistantKeys.length)
      for (const [name, args] of conversation(probes[round % probes.length]!.name, round)) {
        const message = { method: 'tools/call', name, params: { name, arguments: args } };
        const post = this.#index % 2 === 0 ? earlierEraPost(message) : newerEraPost(message);
        let httpOutcome = '';
        const answer = await client.send(url, post, (outcome) => {
          httpOutcome = outcome;
          if (outcome !== '200') this.#outcomes.add(outcome);
        });
        if (httpOutcome === '200') await this.#count(answer);
      }
  }

  async #count({ body }: HttpAnswer): Promise<void> {
    const { result, error } = JSON.parse(body.toString());
    if (error === undefined && result.isError !== true) {
      this.#outcomes.add('answered');
      return;
    }
    this.#outcomes.add(error?.message ?? result._meta['acequia/error'].code);
    await pause(MS_AFTER_REFUSAL);
  }
}
