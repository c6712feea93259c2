import { z } from 'zod';
import { summarizeBrief } from '../../src/language/advice/brief-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { brief } from '../../src/schema/brief.ts';
import { BRIEF_OPERATIONS, morningBrief } from '../../src/service/advice/morning-brief.ts';

export default operation({
  name: 'morning_brief',
  title: 'Morning brief',
  description:
    'Tell what the farm asks for this morning, the most urgent first: probes to water today, firing alerts, silent probes and gateways, waterings to confirm, missing doses, what is planned in 48 hours. ' +
    'For one probe in full use advise_watering.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/brief', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  performs: BRIEF_OPERATIONS,
  input: z.strictObject({}),
  output: brief,
  run: (call) => morningBrief(call),
  summary: summarizeBrief,
});
