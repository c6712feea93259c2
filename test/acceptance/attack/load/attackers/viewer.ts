import type { ViewerRead } from '../mix.ts';
import { ConsiderateClient } from './considerate-client.ts';
import { Outcomes } from './outcomes.ts';
import type { AttackPlan, OutcomeCounts } from './plan.ts';

const DAY_MS = 86_400_000;

const since = (days: number): string => {
  const now = Date.now();
  const [start, end] = [now - days * DAY_MS, now].map((at) => new Date(at).toISOString());
  return `start=${start}&end=${end}`;
};

/** The paths of what a viewer reads, some of them of one probe. */
const PATHS: Record<ViewerRead, (moduleId: number) => string> = {
  overview: () => '/overview',
  brief: () => '/brief',
  page: () => '/page',
  modules: () => '/modules?limit=200',
  waterings: () => '/irrigation/events?limit=200',
  alerts: () => '/alerts?limit=200',
  changes: () => '/changes?limit=200',
  review: (moduleId) => `/modules/${moduleId}/irrigation/review?${since(90)}`,
  'year of a probe': (moduleId) => {
    const hourly = `interval=3600&${since(365)}`;
    return `/modules/${moduleId}/measurements/weighted?${hourly}`;
  },
};

/** A key that reads everything in turn, on several connections at once. */
export class Viewer {
  readonly #outcomes: ReadonlyMap<ViewerRead, Outcomes>;
  readonly #plan: AttackPlan;
  readonly #key: string;

  constructor(plan: AttackPlan, key: string) {
    this.#plan = plan;
    this.#key = key;
    this.#outcomes = new Map(plan.viewers.reads.map((read) => [read, new Outcomes()]));
  }

  start(): void {
    for (let n = 0; n < this.#plan.viewers.connectionsPerKey; n++) void this.#readRepeatedly(n);
  }

  report(): Record<string, OutcomeCounts> {
    return Object.fromEntries([...this.#outcomes].map(([read, each]) => [read, each.counts()]));
  }

  /** Each connection begins with another read and another probe. */
  async #readRepeatedly(connection: number): Promise<never> {
    const { base, probes, viewers } = this.#plan;
    const client = new ConsiderateClient({ 'x-api-key': this.#key });
    const reads = [...this.#outcomes];
    const offset = Math.floor((connection * reads.length) / viewers.connectionsPerKey);

    for (let n = offset; ; n++) {
      const [read, outcomes] = reads[n % reads.length]!;
      const probe = probes[(n * viewers.connectionsPerKey + connection) % probes.length]!;
      const url = new URL(`${base}${PATHS[read](probe.id)}`);
      await client.send(url, {}, (outcome) => outcomes.add(outcome));
    }
  }
}
