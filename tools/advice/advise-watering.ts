import { z } from 'zod';
import { summarizeAdvice } from '../../src/language/advice/advice-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { advice, adviceQuery } from '../../src/schema/advice.ts';
import { moduleRef } from '../../src/schema/field.ts';
import { ADVICE_OPERATIONS } from '../../src/service/advice/advice-inputs.ts';
import { adviseWatering } from '../../src/service/advice/watering-advice.ts';

export default operation({
  name: 'advise_watering',
  title: 'Advise whether and how long to water',
  description:
    'Advise whether and how long to water at a probe now: what its root zone lacks, in minutes and m3 of its own equipment, days until stress, what is planned, and how sure that is. ' +
    'Losses and leaching are not included; nothing is written. For how wet it is use get_agronomic_state, for the whole farm morning_brief.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/irrigation/advice', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  performs: ADVICE_OPERATIONS,
  input: z.strictObject({ moduleId: moduleRef(), ...adviceQuery }),
  output: advice,
  run: (call, { moduleId, refillPercent }) => adviseWatering(call, moduleId, refillPercent),
  summary: summarizeAdvice,
});
