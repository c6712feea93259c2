import { expect } from 'vitest';
import { createAlertEvaluator } from '../../../src/service/jobs/alert-evaluator.ts';
import { companyById } from '../../../src/store/company/companies.ts';
import { it } from '../../farm.ts';

it('an evaluator evaluates at once, and once more for any number of calls meanwhile', async ({
  farm,
}) => {
  const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
  let evaluations = 0;
  const evaluator = createAlertEvaluator({
    store: farm.store,
    clock: () => farm.now,
    onEvaluated: () => void evaluations++,
    report: async (error) => Promise.reject(error),
  });
  for (let n = 0; n < 10; n++) evaluator.evaluate(company);
  await expect.poll(() => evaluations).toBe(2);
  await evaluator.close();
  expect(evaluations).toBe(2);
  evaluator.evaluate(company);
  await evaluator.close();
  expect(evaluations).toBe(2);
});

it('an evaluator reports a failed evaluation, and evaluates again at the next call', async ({
  farm,
}) => {
  const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
  const reported: unknown[] = [];
  const failure = new Error('no connection');
  const evaluator = createAlertEvaluator({
    store: { ...farm.store, readAll: () => Promise.reject(failure) },
    clock: () => farm.now,
    report: async (error) => reported.push(error),
  });
  evaluator.evaluate(company);
  await expect.poll(() => reported).toEqual([failure]);
  evaluator.evaluate(company);
  await expect.poll(() => reported).toEqual([failure, failure]);
  await evaluator.close();
});
