import { describe, expect, it } from 'vitest';
import {
  describeMeans,
  describeUndeliveredMail,
} from '../../../src/language/alerts/notice-summary.ts';
import { FARM_NOW } from '../../farm.ts';
import { contextOf } from '../context.ts';
import { renderAnswer } from '../render-text.ts';
import { MEANS, type Means, UNDELIVERED, type Undelivered } from './means-of-notice.ts';

const context = contextOf();

const OWN_SERVICE: Means = { ...MEANS, sender: 'serve', sinceMin: 1, isServed: false };

const DOCTOR = 'on this computer, run "acequia doctor"';
const INSTALL =
  'acequia service install --env-file acequia.env, a file with the line ACEQUIA_SMTP_URL=smtp://user:password@host:587';

describe('whether a message about an alert leaves', () => {
  it.each<[string, string[], Partial<Means>]>([
    ['It has no recipient, so nobody gets mail about it.', [], { recipients: [] }],
    ['Ana will be notified by e-mail as long as "acequia serve" runs.', [], {}],
    ['Ana will be notified by e-mail.', [], { isServed: true }],
    [
      'Ana and Léo will be notified by e-mail and on 2 devices as long as "acequia tick" runs regularly (it last ran 10 min ago), but not about North 1 and 2 more before they send.',
      [],
      {
        recipients: ['Ana', 'Léo'],
        devices: 2,
        sender: 'tick',
        sinceMin: 10,
        silent: ['North 1'],
        othersSilent: 2,
      },
    ],
    [
      'The mail server has not accepted the last mail to Ana ("550 no such user"), so the next may not arrive either. Push messages go to 1 device.',
      [DOCTOR],
      { mail: 'rejected', lastAnswer: '"550 no such user"', devices: 1 },
    ],
    [
      'No mail leaves this computer now: the mail server could not be used 3 days ago. Alerts are checked only while a chat is open.',
      [DOCTOR],
      { mail: 'fails', sinceMin: 4320, areAlertsChecked: false },
    ],
    [
      'Whether mail can leave this computer is not known yet: the mail server has not answered.',
      [DOCTOR],
      { mail: 'untried' },
    ],
    [
      'No mail leaves the computer of the service any more: what sends it last ran just now. Nothing has checked alerts for 15 minutes.',
      ['on the computer of the service, run "acequia doctor --db FILE"'],
      { mail: 'stopped', sinceMin: 0, isServed: true, store: 'file', areAlertsChecked: false },
    ],
    [
      'Mail leaves this computer only while a chat is open.',
      [`on this computer, run ${INSTALL}`],
      { mail: 'in_chats', sender: null },
    ],
    [
      'No mail can leave this computer yet: no server is set.',
      [`on this computer, run ${INSTALL}`],
      { mail: 'no_server', sender: null },
    ],
  ])('is said %j', (summary, next, changes) =>
    expect(renderAnswer(describeMeans({ ...OWN_SERVICE, ...changes }, context))).toEqual({
      summary,
      next,
    }),
  );
});

describe('messages that were not sent', () => {
  const install = INSTALL.replace('install', 'install --db ADDRESS');

  it.each<[string, string[], Partial<Undelivered>]>([
    [
      'Not sent yet: 1 message, for 2 h (no mail server is set).',
      [`on this computer, run ${install}`],
      {},
    ],
    ['Not sent yet: 3 messages.', [], { waiting: 3, oldestAt: FARM_NOW, mail: null }],
    [
      'Not sent yet: 3 messages, the oldest for 2 h (the mail server cannot be used).',
      ['on this computer, run acequia doctor --db ADDRESS'],
      { waiting: 3, mail: 'fails' },
    ],
    [
      'Rejected by the mail server, whose last answer was "550 no such user": 2 messages.',
      ['on this computer, run "acequia doctor --db ADDRESS"'],
      { waiting: 0, refused: 2, lastAnswer: '"550 no such user"' },
    ],
    [
      'Not sent yet: 1 message, for 2 h. Rejected by the mail server: 1 message.',
      ['on this computer, run "acequia doctor --db ADDRESS"'],
      { refused: 1, mail: null },
    ],
  ])('are said %j', (summary, next, changes) =>
    expect(renderAnswer(describeUndeliveredMail({ ...UNDELIVERED, ...changes }, context))).toEqual({
      summary,
      next,
    }),
  );

  it('name the store to a caller at its computer', () =>
    expect(
      renderAnswer(
        describeUndeliveredMail(
          { ...UNDELIVERED, mail: 'fails' },
          { ...context, storeOption: ' --db farm.db' },
        ),
      ).next,
    ).toEqual(['on this computer, run acequia doctor --db farm.db']));
});
