import { z } from 'zod/v3';
import { summarizeBacktest } from '../../src/language/alerts/backtest-summary.ts';
import { operation } from '../../src/operation/operation.ts';
import { backtest, backtestQuery } from '../../src/schema/alerts/alert.ts';
import { moduleRef } from '../../src/schema/shared-fields.ts';
import { backtestAlert } from '../../src/service/alerts/alert-backtest.ts';
import { pendingChangeParts } from '../../src/service/pending-parts.ts';

export default operation({
  name: 'backtest_alert',
  title: 'Test an alert threshold',
  description:
    'Try an alert threshold on the past of a probe: when and for how long it would have fired, compared with the alert in force. ' +
    'It changes nothing; to set it: create_alert, update_alert.',
  toolset: 'alerts',
  endpoint: { method: 'GET', path: '/modules/{moduleId}/alerts/backtest', status: 200 },
  scope: 'readings:read',
  effect: 'read',
  tool: {
    defaults: { maxEpisodes: 30 },
  },
  load: {
    isLong: () => true,
  },
  input: z.strictObject({ moduleId: moduleRef({ code: 'invalid_id' }), ...backtestQuery }),
  output: backtest,
  pendingWork: () => [pendingChangeParts],
  run: (call, { moduleId, ...query }) => backtestAlert(call, moduleId, query),
  summary: summarizeBacktest,
});
