import { expect, it } from 'vitest';
import { MINUTE } from '../../time.ts';
import { PLANNED_WATERINGS } from './load/attacked-store.ts';
import {
  expectAnswered,
  expectEveryReadServed,
  expectOthersServed,
  expectViewersServed,
} from './load/expectations.ts';
import { everythingAtOnce, MAX_PAGE_STREAMS } from './load/mix.ts';
import { type AttackResult, reportTable } from './load/report.ts';
import { runAttack } from './load/run-attack.ts';

const MINUTES = Number(process.env.ACEQUIA_ATTACK_MINUTES ?? 1);
const MINUTES_FOR_EVERY_READ = 10;

function expectStreamsKept({ attackers }: AttackResult): void {
  const { pageStreams, listenStreams } = attackers;
  const { pageStreams: pages, listenStreams: listeners } = everythingAtOnce(1);
  expect(pageStreams).toMatchObject({
    opened: MAX_PAGE_STREAMS,
    refused: { '429 rate_limited': pages - MAX_PAGE_STREAMS },
    ended: 0,
  });
  expect(listenStreams).toMatchObject({ opened: listeners, refused: {}, ended: 0 });
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
