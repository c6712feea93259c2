import { describe, expect, it } from 'vitest';
import { checkClock } from '../../../src/cli/doctor/clock-check.ts';
import { newBaseFarm } from '../../base-farm.ts';
import {
  ALERT_CREATED_AT,
  addAlert,
  addMessage,
  doctor,
  findingWith,
  withDatabase,
} from './examined-store.ts';

describe('the clock', () => {
  it('is doubtful when an option or a variable has set it', async () => {
    const what = async (source: 'cli' | 'env') =>
      await checkClock(Date.UTC(2030, 0, 1), source, null);
    expect(await what('cli')).toMatchObject(findingWith('doubtful', '--clock'));
    expect(await what('env')).toMatchObject(findingWith('doubtful', 'ACEQUIA_CLOCK'));
  });

  it('is doubtful when the store has later records', async () => {
    const db = await newBaseFarm();
    const later = Date.now() + 3 * 86_400_000;
    withDatabase(db, (database) =>
      database.exec(
        `insert into readings (company_id, sensor_id, at, value) values (1, 1, ${later}, 30)`,
      ),
    );
    expect((await doctor(db)).on('clock')).toMatchObject(findingWith('doubtful', '3 days later'));
  });
});

describe('a time zone', () => {
  it.each([
    ['Mars/Olympus', 'which this runtime does not know'],
    ['Etc/GMT', 'which is not that of a place'],
    ['UTC', 'which is not that of a place'],
    ['EST', 'which is not that of a place'],
  ])('without local time is bad: %s', async (zone, reason) => {
    const db = await newBaseFarm();
    withDatabase(db, (database) => database.prepare('update companies set timezone = ?').run(zone));
    const report = await doctor(db);
    expect(report.code).toBe(1);
    expect(report.on('zones')).toMatchObject({
      level: 'bad',
      what: `the company "Mas Rouge" has the time zone "${zone}", ${reason}`,
    });
  });
});

describe('the outbox', () => {
  it('with a refused message is doubtful, in the words of the mail server', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    addMessage(db, 'refused', ALERT_CREATED_AT, '550 no such\r\nmailbox');
    expect((await doctor(db)).on('outbox')).toMatchObject({
      level: 'doubtful',
      what: '1 message permanently refused by the mail server; the last reply of the mail server: 550 no such mailbox',
      advice: expect.stringContaining('list_alerts'),
    });
  });

  it('with a new message is good, with one that has waited for hours doubtful', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    addMessage(db, 'waiting', Date.now() - 60_000, null);
    expect((await doctor(db)).on('outbox').level).toBe('good');
    addMessage(db, 'waiting', Date.now() - 3 * 3_600_000, '451 try later');
    expect((await doctor(db)).on('outbox')).toMatchObject({
      level: 'doubtful',
      what: '2 messages waiting, the oldest for 3 hours; the last reply of the mail server: 451 try later',
    });
  });
});

describe('the rounds of jobs', () => {
  const addRound = (db: string, runner: string, mailServer: 0 | 1, minutesAgo: number): void =>
    withDatabase(db, (database) => {
      const ranAt = Date.now() - minutesAgo * 60_000;
      const insertRound =
        'insert into job_rounds (runner, has_mail_server, ran_at, tried_at) values (?, ?, ?, 1)';
      database.prepare(insertRound).run(runner, mailServer, ranAt);
    });
  const setAttempt = (db: string, column: string, minutesAgo: number): void =>
    withDatabase(db, (database) => {
      const at = Date.now() - minutesAgo * 60_000;
      database.prepare(`update job_rounds set ${column} = ? where has_mail_server = 1`).run(at);
    });

  it('are good without an alert, and doubtful with one that only chats check', async () => {
    const db = await newBaseFarm();
    expect((await doctor(db)).on('jobs')).toMatchObject(findingWith('good', 'no process has run'));
    addAlert(db);
    addRound(db, 'stdio', 0, 2);
    expect((await doctor(db)).on('jobs')).toMatchObject(
      findingWith(
        'doubtful',
        'last run by an assistant 2 minutes ago (no mail server); 1 alert is checked only while a chat is open',
        'acequia service install',
      ),
    );
  });

  it('of a service with a mail server are good, also for mail that is not set here', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    addRound(db, 'serve', 1, 1);
    const report = await doctor(db);
    const round = '"acequia serve" 1 minute ago (with a mail server)';
    expect(report.on('jobs')).toMatchObject(findingWith('good', `last run by ${round}`));
    expect(report.on('mail')).toMatchObject(
      findingWith('good', `set here (ACEQUIA_SMTP_URL), but in ${round}; it has sent none yet`),
    );
    setAttempt(db, 'delivered_at', 120);
    expect((await doctor(db)).on('mail')).toMatchObject(
      findingWith('good', `but in ${round}; the last mail left 2 hours ago`),
    );
  });

  it('of a service whose mail server fails make mail doubtful, and say how it is examined', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    addRound(db, 'serve', 1, 1);
    setAttempt(db, 'failed_at', 3);
    const mail = (await doctor(db)).on('mail');
    expect(mail).toMatchObject(
      findingWith(
        'doubtful',
        'that of "acequia serve" could not be used 3 minutes ago',
        'acequia doctor --env-file',
      ),
    );
    expect(mail.what).not.toContain('no mail server is set:');
  });

  it('of a service that ended hours ago are doubtful, and so is mail', async () => {
    const db = await newBaseFarm();
    addAlert(db);
    addRound(db, 'serve', 1, 180);
    const report = await doctor(db);
    expect(report.on('jobs')).toMatchObject(findingWith('doubtful', '3 hours ago'));
    expect(report.on('mail')).toMatchObject(
      findingWith('doubtful', '"acequia serve", which had one, last ran 3 hours ago', 'service'),
    );
  });
});

describe('the lease', () => {
  it.each([
    ['that is held', 15_000, 'good', /is held by another/],
    ['that has expired', -3_600_000, 'good', /without being released by another/],
    ['that lasts longer than any lease does', 3_600_000, 'doubtful', /a clock was ahead/],
  ])('%s is reported', async (_, from, level, what) => {
    const db = await newBaseFarm();
    const insertLease = "insert into leases values ('housekeeping', 'another', ?)";
    withDatabase(db, (database) => database.prepare(insertLease).run(Date.now() + from));
    expect((await doctor(db)).on('lease')).toMatchObject({
      level,
      what: expect.stringMatching(what),
    });
  });
});
