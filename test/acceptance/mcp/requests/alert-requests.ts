import { expect } from 'vitest';
import type { AnsweredRequest } from './request-farm.ts';

export const ALERT_REQUESTS: AnsweredRequest[] = [
  {
    text: 'Tell me when North 1 falls below eighteen per cent.',
    tool: 'create_alert',
    args: { module: 'North 1', threshold: 18 },
    expected: { moduleId: 1, threshold: '18', source: 'manual', isActive: true },
  },
  {
    text: 'Préviens-moi sous 20 % sur North 2, avec un rappel à 7 h.',
    tool: 'create_alert',
    args: { module: 'North 2', threshold: 20, reminderTime: '07:00:00' },
    expected: { moduleId: 2, threshold: '20', reminderTime: '07:00:00' },
  },
  {
    text: 'How often would twenty-five per cent have fired on North 1 in the last week?',
    tool: 'backtest_alert',
    args: { module: 'North 1', threshold: 25, hysteresis: 5, start: '7 days ago', end: 'now' },
    expected: { episodes: [{ end: null }] },
  },
  {
    text: 'Quelles alertes sont actives sur le verger ?',
    tool: 'list_alerts',
    args: { module: 'Orchard', isActive: true },
    expected: { data: [], next_cursor: null },
  },
  {
    text: 'Fais-moi le point de ce matin.',
    tool: 'morning_brief',
    args: {},
    expected: {
      missingDoses: expect.arrayContaining([expect.objectContaining({ moduleId: 6, missing: 'NO_INSTALLATION' })]),
    },
  },
];
