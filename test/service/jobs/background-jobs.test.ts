import { expect } from 'vitest';
import { createAlertEvaluator } from '../../../src/service/jobs/background-jobs.ts';
import { companyById } from '../../../src/store/company/companies.ts';
import { it } from '../../farm.ts';

it('evaluates immediately, and once more however often it is called meanwhile', async ({ farm }) => {
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

it('reports a failed evaluation and continues', async ({ farm }) => {
  const company = (await farm.store.readAll((all) => companyById(all, 1)))!;
  const reported: unknown[] = [];
  const fails = new Error('the look failed');
  const evaluator = createAlertEvaluator({
    store: { ...farm.store, readAll: () => Promise.reject(fails) },
    clock: () => farm.now,
    report: async (error) => reported.push(error),
  });
  evaluator.evaluate(company);
  await evaluator.close();
  evaluator.evaluate(company);
  await evaluator.close();
  expect(reported).toEqual([fails]);
});
