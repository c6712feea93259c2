import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'vitest';
import {
  checkLeases,
  checkOutbox,
  checkRounds,
} from '../../../src/cli/doctor/background-job-checks.ts';
import { checkClock } from '../../../src/cli/doctor/clock-check.ts';
import type { DoctorFinding } from '../../../src/cli/doctor/findings.ts';
import { checkMail } from '../../../src/cli/doctor/mail-check.ts';
import { examineStore } from '../../../src/cli/doctor/store-check.ts';
import { checkZones } from '../../../src/cli/doctor/zone-check.ts';
import type { ConnectionLimits } from '../../../src/cli/mail/mail-settings.ts';

export interface Report {
  readonly code: number;
  readonly text: string;
  readonly findings: readonly DoctorFinding[];
  on(subject: string): DoctorFinding;
}

/** Runs the doctor in this process. */
export async function doctor(
  db: string,
  env: Readonly<Record<string, string>> = {},
  mailLimits?: ConnectionLimits,
): Promise<Report> {
  const { findings: store, view } = await examineStore(db);
  try {
    const now = Date.now();
    const checks = [
      [await checkClock(now, undefined, view)],
      await checkZones(now, view),
      await checkMail(env, view, mailLimits),
      await checkOutbox(now, view),
      await checkRounds(now, view),
      await checkLeases(now, view),
    ];
    return reportOf([...store, ...checks.flat()]);
  } finally {
    await view?.close();
  }
}

export const reportOf = (findings: readonly DoctorFinding[]): Report => ({
  code: findings.some(({ level }) => level === 'bad') ? 1 : 0,
  text: JSON.stringify(findings),
  findings,
  on(subject) {
    const finding = findings.find((each) => each.subject === subject);
    if (!finding) throw new Error(`Nothing on ${subject}: ${JSON.stringify(findings)}`);
    return finding;
  },
});

/** Matches a finding whose text and advice contain these words. */
export const findingWith = (level: DoctorFinding['level'], what = '', advice?: string) => ({
  level,
  what: expect.stringContaining(what),
  ...(advice === undefined ? {} : { advice: expect.stringContaining(advice) }),
});

export function withDatabase<T>(
  db: string,
  body: (database: InstanceType<typeof DatabaseSync>) => T,
): T {
  const database = new DatabaseSync(db);
  try {
    return body(database);
  } finally {
    database.close();
  }
}

const ALERT = '11111111-1111-4111-8111-111111111111';
export const ALERT_CREATED_AT = Date.UTC(2026, 5, 1);

export const addAlert = (db: string): void =>
  withDatabase(db, (database) => {
    database.exec(`insert into alerts (id, company_id, module_id, threshold, hysteresis, reminder_time, source, is_active,
      created_by, created_at, updated_at) values ('${ALERT}', 1, 1, '20', '5', '08:00:00', 'manual', 1, 1,
      ${ALERT_CREATED_AT}, ${ALERT_CREATED_AT})`);
    database.exec(
      `insert into alert_recipients (id, company_id, alert_id, user_id) values ('r', 1, '${ALERT}', 1)`,
    );
  });

export const addMessage = (
  db: string,
  state: 'waiting' | 'refused',
  createdAt: number,
  answer: string | null,
): void =>
  withDatabase(db, (database) => {
    database
      .prepare(
        `insert into outbox (id, company_id, alert_id, kind, user_id, to_address, subject, text, html, created_at, state,
        attempts, next_attempt_at, last_response) values (?, 1, '${ALERT}', 'fired', 1, 'ana@example.org', 's', 't', 'h', ?, ?, 1, 0, ?)`,
      )
      .run(`${state}-${createdAt}`, createdAt, state, answer);
  });
