import { expect, it } from 'vitest';
import { readToolArguments } from '../../src/operation/arguments/tool-arguments.ts';
import { LocalRunner } from '../../src/operation/local/local-runner.ts';
import type { AnyOperation } from '../../src/operation/operation.ts';
import { identifyByKey } from '../../src/service/keys/api-keys.ts';
import { createKey } from '../../src/service/keys/key-administration.ts';
import { companyByName } from '../../src/store/company/companies.ts';
import { operationsByName } from '../../tools/index.ts';
import { type TestFarm, withFarm } from '../farm.ts';
import { readAnswer } from '../language/render-text.ts';

const FAULT = new Error('no words for it');
const withoutSummary = (name: string): AnyOperation => ({
  ...operationsByName.get(name)!,
  summary: () => Promise.reject(FAULT),
});

/** Runs it as Mas Rouge and collects the reported errors. */
async function runReporting(
  farm: TestFarm,
  operation: AnyOperation,
  rawArguments: Record<string, unknown>,
) {
  const reported: unknown[] = [];
  const company = (await farm.store.readAll((all) => companyByName(all, 'Mas Rouge')))!;
  const { key } = await createKey(
    farm.store,
    { company, preset: 'everything', surface: 'mcp', expiresAt: null },
    farm.now,
  );
  const runner = new LocalRunner({
    store: farm.store,
    operations: operationsByName,
    clock: () => farm.now,
    lang: 'en',
    identify: identifyByKey(key, () => farm.now),
    report: async (error) => `ref-${reported.push(error)}`,
  });
  const answer = runner.run(operation, {
    rawArguments,
    readArguments: (context) => readToolArguments(operation, rawArguments, context),
  });
  return { answer, reported };
}

const WATERING = {
  module: 'North 1',
  startedAt: 'today 6:00',
  inputMode: 'duration',
  durationMin: 40,
  detail: 'full',
};

it('reports a write as done even if its summary fails, and logs that failure', () =>
  withFarm(async (farm) => {
    await farm.log('North 1', { startedAt: 'today 6:00', inputMode: 'duration', durationMin: 40 });
    const { answer, reported } = await runReporting(farm, withoutSummary('log_watering'), WATERING);
    const { body, summary } = readAnswer(await answer);
    expect(await farm.waterings()).toContainEqual((body as { event: object }).event);
    expect(summary).toMatch(/^This was saved, but .*ref-1.*do not send it again\./);
    // The note on a second watering at the same time is kept.
    expect(summary).toContain('overlaps another watering');
    expect(reported).toEqual([FAULT]);
  }));

it('fails a read whose summary fails', () =>
  withFarm(async (farm) => {
    const { answer } = await runReporting(farm, withoutSummary('get_company'), {});
    await expect(answer).rejects.toBe(FAULT);
  }));
