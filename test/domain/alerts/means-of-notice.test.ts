import { describe, expect, it } from 'vitest';
import type { JobRound } from '../../../src/domain/alerts/job-rounds.ts';
import { meansOfNotice } from '../../../src/domain/alerts/means-of-notice.ts';

const NOW = Date.UTC(2026, 6, 1, 12);
const minutesAgo = (minutes: number): number => NOW - minutes * 60_000;

const round = (
  runner: JobRound['runner'],
  hasMailServer: boolean,
  minutes: number,
  { delivered, failed }: { delivered?: number; failed?: number } = {},
): JobRound => ({
  runner,
  hasMailServer,
  ranAt: minutesAgo(minutes),
  deliveredAt: delivered === undefined ? null : minutesAgo(delivered),
  failedAt: failed === undefined ? null : minutesAgo(failed),
});

const CHECKED = { areAlertsChecked: true, since: null };
const NOT_CHECKED = { areAlertsChecked: false, since: null };

describe('what a promise of a message rests on', () => {
  it.each([
    ['nothing has run', [], { mail: 'no_server', ...NOT_CHECKED }],
    ['serve, with a server', [round('serve', true, 1)], { mail: 'leaves', ...CHECKED }],
    ['tick, with a server', [round('tick', true, 14)], { mail: 'leaves', ...CHECKED }],
    ['serve, without a server', [round('serve', false, 1)], { mail: 'no_server', ...CHECKED }],
    ['a chat', [round('stdio', false, 1)], { mail: 'no_server', ...NOT_CHECKED }],
    ['a chat, with a server', [round('stdio', true, 600)], { mail: 'in_chats', ...NOT_CHECKED }],
    [
      'a chat that no longer has a server',
      [round('stdio', true, 600), round('stdio', false, 1)],
      { mail: 'no_server', ...NOT_CHECKED },
    ],
    [
      'serve without a server, a chat with one',
      [round('serve', false, 1), round('stdio', true, 1)],
      { mail: 'in_chats', ...CHECKED },
    ],
    [
      'serve without a server, another with one',
      [round('serve', false, 1), round('serve', true, 1)],
      { mail: 'leaves', ...CHECKED },
    ],
    [
      'serve that has ended',
      [round('serve', true, 16)],
      { mail: 'stopped', areAlertsChecked: false, since: minutesAgo(16) },
    ],
    [
      'serve of a clock that was ahead',
      [round('serve', false, -60)],
      { mail: 'no_server', ...NOT_CHECKED },
    ],
    [
      'a failure since the last delivery',
      [round('serve', true, 1, { delivered: 30, failed: 5 })],
      { mail: 'fails', areAlertsChecked: true, since: minutesAgo(5) },
    ],
    [
      'a delivery since the last failure',
      [round('serve', true, 1, { delivered: 5, failed: 30 })],
      { mail: 'leaves', ...CHECKED },
    ],
    [
      'a failure, and a chat that delivers',
      [round('serve', true, 1, { failed: 5 }), round('stdio', true, 1, { delivered: 1 })],
      { mail: 'fails', areAlertsChecked: true, since: minutesAgo(5) },
    ],
    [
      'serve that fails, tick that delivers',
      [round('serve', true, 1, { failed: 5 }), round('tick', true, 1, { delivered: 9 })],
      { mail: 'leaves', ...CHECKED },
    ],
    [
      'a chat whose server fails',
      [round('stdio', true, 1, { failed: 5 })],
      { mail: 'fails', areAlertsChecked: false, since: minutesAgo(5) },
    ],
  ] as const)('%s', (_, rounds, expected) => {
    expect(meansOfNotice(rounds, NOW)).toEqual(expected);
    expect(meansOfNotice(rounds.toReversed(), NOW)).toEqual(expected);
  });
});
