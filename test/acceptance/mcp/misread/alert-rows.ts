import type { Row } from './row.ts';

export const ALERT_ROWS: readonly Row[] = [
  {
    what: 'an alert',
    tool: 'create_alert',
    args: { module: 'Oak 2', threshold: 20, hysteresis: 2 },
    says: /fires below 20 % until 22 %/,
  },
  {
    what: 'an alert like one that exists',
    tool: 'create_alert',
    args: { module: 'Oak 2', threshold: 20, hysteresis: 2 },
    says: /already another alert below 20 %/,
  },
  {
    what: 'an alert that cannot recover',
    tool: 'create_alert',
    args: { module: 'Oak 1', threshold: 25, hysteresis: 45 },
    says: /never resolves.*holds at most 46 %/,
  },
  {
    what: 'an alert without hysteresis',
    tool: 'create_alert',
    args: { module: 'Oak 1', threshold: 22, hysteresis: 0 },
    says: /fire and recover again and again/,
  },
];
