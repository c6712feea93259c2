import { expect, it } from 'vitest';
import { BOUNDED_THINGS } from '../../../src/domain/shares/bounded-things.ts';
import { MINUTE } from '../../time.ts';
import { PLANNED_WATERINGS } from './load/attacked-store.ts';
import {
  expectAnswered,
  expectEveryReadServed,
  expectOthersServed,
  expectViewersServed,
} from './load/expectations.ts';
import { everythingAtOnce } from './load/mix.ts';
import { type AttackResult, reportTable } from './load/report.ts';
import { runAttack } from './load/run-attack.ts';

const MINUTES = Number(process.env.ACEQUIA_ATTACK_MINUTES ?? 1);
const MINUTES_FOR_EVERY_READ = 10;

function expectStreamsKept({ attackers }: AttackResult): void {
  const { pageStreams, listenStreams } = attackers;
  const tried = everythingAtOnce(1);
  for (const [what, streams] of Object.entries({ pageStreams, listenStreams })) {
    const kind = what as 'pageStreams' | 'listenStreams';
    // Alone, a company has at most its share.
    const { ofCompany } = BOUNDED_THINGS[kind];
    expect(streams, what).toMatchObject({
      opened: ofCompany,
      refused: { '429 rate_limited': tried[kind] - ofCompany },
      ended: 0,
    });
  }
}

function expectWritesDone({ attackers }: AttackResult): void {
  const { uploads, assistants, schedule } = attackers;
  for (const outcomes of uploads) expectAnswered('uploads', outcomes, '200');
  for (const outcomes of assistants) expectAnswered('assistants', outcomes, 'answered');

  const { outcomes, removed } = schedule!;
  expect(outcomes).toMatchObject({ 'create 201': 1, 'undo 200': 1 });
  // The last start times of today lie in the past.
  expect(removed).toBeGreaterThan(0.98 * PLANNED_WATERINGS);
}

it.for([1, 2, 8])(
  'serves another company while a company with %i keys of viewers does everything at once',
  { timeout: (5 * MINUTES + 10) * MINUTE },
  async (viewerKeys, { annotate }) => {
    const title = `${MINUTES} min of everything at once, ${viewerKeys} keys of viewers`;
    const result = await runAttack({
      title,
      mix: everythingAtOnce(viewerKeys),
      attackMs: MINUTES * MINUTE,
    });

    const report = reportTable(result);
    process.stdout.write(`${report}\n`);
    await annotate(report);

    expectOthersServed(result);
    expectViewersServed(result);
    if (MINUTES >= MINUTES_FOR_EVERY_READ) expectEveryReadServed(result);
    expectStreamsKept(result);
    expectWritesDone(result);
  },
);
