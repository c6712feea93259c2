import { expect, it } from 'vitest';
import { DAY, HOUR, iso, MINUTE, SECOND } from '../../time.ts';
import { type RestService, serveStoreForTest } from '../rest-service.ts';
import { ATTACKER, attackersFarm, newAttackedStore } from './load/attacked-store.ts';
import { expectOthersServed, expectViewersServed } from './load/expectations.ts';
import { overviewsOnly } from './load/mix.ts';
import { percentile, reportTable } from './load/report.ts';
import { runAttack } from './load/run-attack.ts';

const READERS = 8;
const ROUNDS = 3;

it('serves another company while four viewers repeat the overview of a large farm', {
  timeout: 10 * MINUTE,
}, async ({ annotate }) => {
  const title = 'Four viewers repeat /overview';
  const attackMs = 15 * SECOND;
  const result = await runAttack({ title, mix: overviewsOnly(4), attackMs });

  const report = reportTable(result);
  process.stdout.write(`${report}\n`);
  await annotate(report);

  expectOthersServed(result);
  expectViewersServed(result);
});

interface CompanyOptions {
  readonly writer: string;
  readonly readers: readonly string[];
  readonly moduleId: number;
}

/** Readers of one company, and a writer after whose writes every answer is computed anew. */
class Company {
  readonly #service: RestService;
  readonly #writer: string;
  readonly #events: string;
  readonly readers: readonly string[];
  #written = 0;

  static async of(service: RestService): Promise<Company> {
    const newKey = (preset: string) => service.newKey('--company', ATTACKER, '--preset', preset);
    const readers: string[] = [];
    while (readers.length < READERS) readers.push(await newKey('viewer'));
    const [probe] = (await attackersFarm(service.db)).probes;
    const writer = await newKey('assistant');
    return new Company(service, { writer, readers, moduleId: probe!.id });
  }

  private constructor(service: RestService, { writer, readers, moduleId }: CompanyOptions) {
    this.#service = service;
    this.#writer = writer;
    this.readers = readers;
    this.#events = `/modules/${moduleId}/irrigation/events`;
  }

  /** The time in ms until all of the keys have the answer, after a write. */
  async readingMs(path: string, keys: readonly string[]): Promise<number> {
    await this.#write();
    const startedMs = performance.now();
    const read = (key: string) => this.#service.request('GET', path, { key });
    const answers = await Promise.all(keys.map(read));
    const readingMs = performance.now() - startedMs;

    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    return readingMs;
  }

  async #write(): Promise<void> {
    const startedAt = iso(Date.now() - DAY - this.#written++ * HOUR);
    const body = { startedAt, inputMode: 'duration', durationMin: 30 };
    const options = { key: this.#writer, body };
    const { status } = await this.#service.request('POST', this.#events, options);
    expect(status).toBe(201);
  }
}

it.for(['/overview', '/brief', '/page'])(
  'answers eight readers of %s in at most three times the time of one',
  { timeout: 10 * MINUTE },
  async (path) => {
    const company = await Company.of(await serveStoreForTest(await newAttackedStore()));
    const [alone, together]: [number[], number[]] = [[], []];

    for (let round = 0; round < ROUNDS; round++) {
      alone.push(await company.readingMs(path, company.readers.slice(0, 1)));
      together.push(await company.readingMs(path, company.readers));
    }

    const [one, eight] = [percentile(alone, 0.5), percentile(together, 0.5)];
    process.stdout.write(`${path}: one ${one.toFixed(0)} ms, eight ${eight.toFixed(0)} ms\n`);
    expect(eight / one).toBeLessThan(3);
  },
);
