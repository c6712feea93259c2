import { z } from 'zod/v3';
import { summarizeBrief } from '../../src/language/advice/brief/brief-summary.ts';
import { brief } from '../../src/schema/advice/brief.ts';
import { explainedDetailField } from '../../src/schema/shared-fields.ts';
import { conciseBrief, morningBrief } from '../../src/service/advice/farm/morning-brief.ts';
import { factOperation } from '../../src/service/advice/source/fact-operation.ts';
import {
  ofCompany,
  plannedWaterings,
} from '../../src/service/irrigation/planning/pending-waterings.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default factOperation({
  name: 'morning_brief',
  title: 'Morning brief',
  description:
    'List what needs attention today, the most urgent first: probes to water, alerts, silent probes, waterings to confirm, missing doses, what is planned in 48 hours. ' +
    'For one probe use advise_watering.',
  toolset: 'advice',
  endpoint: { method: 'GET', path: '/brief', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    inDailyToolset: true,
    isAlwaysLoaded: true,
    defaults: { detail: 'concise' },
  },
  load: {
    isLong: () => true,
    isShared: true,
  },
  input: z.strictObject({ detail: explainedDetailField() }),
  output: brief,
  pendingWork: () => [...plannedWaterings(ofCompany), pendingChangeParts],
  facts: {
    reads: [
      'modules',
      'probes',
      'rain',
      'weather',
      'waterings',
      'parcelWaterings',
      'parcel',
      'wateringsWithoutDose',
      'schedules',
      'alerts',
      'gateways',
      'waterSources',
      'waitingDevices',
      'notices',
      'doubtfulTemperatures',
    ],
    answer: (call, _, facts) => morningBrief(call, facts),
  },
  concise: conciseBrief,
  summary: summarizeBrief,
});
