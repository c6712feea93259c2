import { describe, expect, it } from 'vitest';
import type { JobRound } from '../../../src/domain/alerts/job-rounds.ts';
import { meansOfNotice } from '../../../src/domain/alerts/means-of-notice.ts';

const NOW = Date.UTC(2026, 6, 1, 12);
const minutesAgo = (minutes: number): number => NOW - minutes * 60_000;

type Instant = 'delivered' | 'failed' | 'tried' | 'stopped';
const instant = (minutes: number | undefined): number | null =>
  minutes === undefined ? null : minutesAgo(minutes);

const round = (
  runner: JobRound['runner'],
  hasMailServer: boolean,
  minutes: number,
  { delivered, failed, tried, stopped }: Partial<Record<Instant, number>> = {},
): JobRound => ({
  runner,
  hasMailServer,
  ranAt: minutesAgo(minutes),
  deliveredAt: instant(delivered),
  failedAt: instant(failed),
  triedAt: instant(tried),
  stoppedAt: instant(stopped),
});

const CHECKED = { areAlertsChecked: true, sender: null, since: null };
const NOT_CHECKED = { areAlertsChecked: false, sender: null, since: null };
const leavesBy = (sender: 'serve' | 'tick', minutes: number) => ({
  mail: 'leaves',
  areAlertsChecked: true,
  sender,
  since: minutesAgo(minutes),
});

describe('what a promise of a message rests on', () => {
  it.each([
    ['nothing has run', [], { mail: 'no_server', ...NOT_CHECKED }],
    ['serve, with a server', [round('serve', true, 1, { tried: 60 })], leavesBy('serve', 1)],
    ['tick, with a server', [round('tick', true, 14, { tried: 14 })], leavesBy('tick', 14)],
    [
      'serve, with a server that has not answered',
      [round('serve', true, 1)],
      { mail: 'untried', ...CHECKED, sender: 'serve' },
    ],
    [
      'serve, with a server that refuses the login',
      [round('serve', true, 1, { tried: 60, failed: 2 })],
      { mail: 'fails', areAlertsChecked: true, sender: 'serve', since: minutesAgo(2) },
    ],
    [
      'serve that was stopped a minute ago',
      [round('serve', true, 2, { tried: 60, stopped: 1 })],
      { mail: 'stopped', areAlertsChecked: false, sender: null, since: minutesAgo(1) },
    ],
    [
      'serve that was stopped and started again',
      [round('serve', true, 1, { tried: 1, stopped: 2 })],
      leavesBy('serve', 1),
    ],
    [
      'a chat, with a server that has not answered',
      [round('stdio', true, 0)],
      { mail: 'untried', ...NOT_CHECKED },
    ],
    ['serve, without a server', [round('serve', false, 1)], { mail: 'no_server', ...CHECKED }],
    ['a chat', [round('stdio', false, 1)], { mail: 'no_server', ...NOT_CHECKED }],
    [
      'a chat, with a server',
      [round('stdio', true, 600, { tried: 600 })],
      { mail: 'in_chats', ...NOT_CHECKED },
    ],
    [
      'a chat that no longer has a server',
      [round('stdio', true, 600), round('stdio', false, 1)],
      { mail: 'no_server', ...NOT_CHECKED },
    ],
    [
      'serve without a server, a chat with one',
      [round('serve', false, 1), round('stdio', true, 1, { tried: 1 })],
      { mail: 'in_chats', ...CHECKED },
    ],
    [
      'serve without a server, another with one',
      [round('serve', false, 1), round('serve', true, 1, { tried: 1 })],
      leavesBy('serve', 1),
    ],
    [
      'serve that has ended',
      [round('serve', true, 16)],
      { mail: 'stopped', areAlertsChecked: false, sender: null, since: minutesAgo(16) },
    ],
    [
      'serve of a clock that was ahead',
      [round('serve', false, -60)],
      { mail: 'no_server', ...NOT_CHECKED },
    ],
    [
      'a failure since the last delivery',
      [round('serve', true, 1, { delivered: 30, failed: 5 })],
      { mail: 'fails', areAlertsChecked: true, sender: 'serve', since: minutesAgo(5) },
    ],
    [
      'a delivery since the last failure',
      [round('serve', true, 1, { delivered: 5, failed: 30 })],
      leavesBy('serve', 1),
    ],
    [
      'a failure, and a chat that delivers',
      [round('serve', true, 1, { failed: 5 }), round('stdio', true, 1, { delivered: 1 })],
      { mail: 'fails', areAlertsChecked: true, sender: 'serve', since: minutesAgo(5) },
    ],
    [
      'serve that fails, tick that delivers',
      [round('serve', true, 1, { failed: 5 }), round('tick', true, 1, { delivered: 9 })],
      leavesBy('tick', 1),
    ],
    [
      'a chat whose server fails',
      [round('stdio', true, 1, { failed: 5 })],
      { mail: 'fails', areAlertsChecked: false, sender: null, since: minutesAgo(5) },
    ],
  ] as const)('%s', (_, rounds, expected) => {
    expect(meansOfNotice(rounds, NOW)).toEqual(expected);
    expect(meansOfNotice(rounds.toReversed(), NOW)).toEqual(expected);
  });
});
