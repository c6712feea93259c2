import { START_TIMES } from '../mix.ts';
import { ConsiderateClient } from './considerate-client.ts';
import { Outcomes } from './outcomes.ts';
import type { AttackPlan, ScheduleReport } from './plan.ts';

/** A key that creates one schedule for all probes, and undoes it as soon as it is planned. */
export class Planner {
  readonly #outcomes = new Outcomes();
  readonly #plan: AttackPlan;
  #createdInMs: number | null = null;
  #undoneInMs: number | null = null;
  #removed = 0;

  constructor(plan: AttackPlan) {
    this.#plan = plan;
  }

  /** Resolves once it is done, or refused. */
  async run(key: string): Promise<void> {
    const client = new ConsiderateClient({ 'x-api-key': key, 'content-type': 'application/json' });
    const createdAt = performance.now();
    const { base } = this.#plan;
    const headers = { 'idempotency-key': 'schedule' };
    const post = { method: 'POST', headers, body: JSON.stringify(this.#schedule()) };
    const created = await client.send(new URL(`${base}/irrigation/schedules`), post, (outcome) =>
      this.#outcomes.add(`create ${outcome}`),
    );
    if (created.status !== 201) return;
    this.#createdInMs = performance.now() - createdAt;

    const undoneAt = performance.now();
    const undo = new URL(`${base}/changes/${created.headers['acequia-change-id']}/undo`);
    const undone = await client.send(undo, { method: 'POST', body: '{}' }, (outcome) =>
      this.#outcomes.add(`undo ${outcome}`),
    );
    if (undone.status !== 200) return;
    this.#undoneInMs = performance.now() - undoneAt;
    const { counts } = JSON.parse(undone.body.toString()).undone.effects;
    this.#removed = counts['planned_watering added'] ?? 0;
  }

  report(): ScheduleReport {
    return {
      outcomes: this.#outcomes.counts(),
      createdInMs: this.#createdInMs,
      undoneInMs: this.#undoneInMs,
      removed: this.#removed,
    };
  }

  #schedule() {
    return {
      targetParcelId: this.#plan.parcelId,
      freq: 'daily',
      intervalDays: 1,
      startTimes: START_TIMES,
      timezone: 'Europe/Paris',
      startsOn: new Date().toISOString().slice(0, 10),
      inputMode: 'duration',
      durationMin: 30,
    };
  }
}
