import type { JobRound, JobRunner } from '../../domain/alerts/job-rounds.ts';
import { meansOfNotice } from '../../domain/alerts/means-of-notice.ts';
import { firstOf, withoutNulls } from '../../domain/items.ts';
import { MINUTE_MS } from '../../domain/periods.ts';
import { singleLine } from '../../domain/strings.ts';
import { AcequiaError } from '../../schema/error.ts';
import { toIso, toIsoOrNull } from '../../schema/wire-format.ts';
import { jobRounds } from '../../store/job-rounds.ts';
import { MAX_LEASE_MS } from '../../store/leases.ts';
import { outboxStatistics } from '../../store/mail/outbox.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { allLeases, watchedAlertCount } from '../../store/store-statistics.ts';
import { allForecasts } from '../../store/weather/weather.ts';
import type { Environment } from '../process/environment.ts';
import { readForecastAddress } from '../process/job-setup.ts';
import { formatTerminalCount } from '../process/output.ts';
import {
  type DoctorFinding,
  findingsAbout,
  formatRoughDuration,
  formatUtcSecond,
} from './findings.ts';

const LONG_WAIT_MS = 15 * MINUTE_MS;

export async function checkOutbox(now: number, view: StoreView | null): Promise<DoctorFinding[]> {
  if (!view) return [];

  const newFinding = findingsAbout('outbox');
  const { waiting, refused, oldestWaitingAt, lastAnswer } = await view.read(outboxStatistics);
  const lastReply =
    lastAnswer === null ? '' : `; the last reply of the mail server: ${singleLine(lastAnswer)}`;
  const figures = { waiting, refused, oldestWaitingAt: toIsoOrNull(oldestWaitingAt) };
  const findings: DoctorFinding[] = [];

  if (refused > 0)
    findings.push(
      newFinding.doubtful(
        `${formatTerminalCount(refused, 'message')} permanently refused by the mail server${lastReply}`,
        'The recipients were not notified; list_alerts names the alerts. Fix the cause, then retry with "acequia tick --resend".',
        figures,
      ),
    );

  if (waiting > 0) {
    const ageMs = oldestWaitingAt === null ? 0 : Math.max(0, now - oldestWaitingAt);
    // The finding on refused messages already shows the reply.
    const reply = refused > 0 ? '' : lastReply;
    const text = `${formatTerminalCount(waiting, 'message')} waiting, the oldest for ${formatRoughDuration(ageMs)}${reply}`;
    findings.push(
      ageMs >= LONG_WAIT_MS
        ? newFinding.doubtful(
            text,
            'Fix what "mail" reports. A running server, or "acequia tick", then sends them.',
            figures,
          )
        : newFinding.good(text, figures),
    );
  }

  return findings.length > 0
    ? findings
    : [newFinding.good('no message waiting or refused', figures)];
}

/** `now` is real time in ms: leases do not follow `--clock`. */
export async function checkLeases(now: number, view: StoreView | null): Promise<DoctorFinding[]> {
  if (!view) return [];

  const leases = await view.read(allLeases);
  const newFinding = findingsAbout('lease');
  if (leases.length === 0) return [newFinding.good('free: no process holds one at this moment')];

  return leases.map(({ name, holder, expires_at: until }) => {
    if (until > now + MAX_LEASE_MS)
      return newFinding.doubtful(
        `"${name}" was taken by ${holder} until ${formatUtcSecond(until)}, ${formatRoughDuration(until - now)} from now: a clock was ahead`,
        'Nothing waits for it: the next process takes it over. Check the clocks of the machines that use this store.',
      );

    if (until > now)
      return newFinding.good(
        `"${name}" is held by ${holder}, until ${formatUtcSecond(until)} at the latest`,
      );

    return newFinding.good(
      `"${name}" expired at ${formatUtcSecond(until)} without being released by ${holder}; the next process takes it over`,
    );
  });
}

/** `now` is real time in ms. */
export async function checkRounds(now: number, view: StoreView | null): Promise<DoctorFinding[]> {
  if (!view) return [];

  const newFinding = findingsAbout('jobs');
  const rounds = await view.read(jobRounds);
  const text =
    rounds.length === 0
      ? 'no process has run the background jobs yet'
      : `last run by ${rounds.map((round) => describeRound(round, now)).join(', by ')}`;

  const alerts = await view.read(watchedAlertCount);
  const { areAlertsChecked } = meansOfNotice(rounds, now);
  const newest = rounds.reduce((latest, { ranAt }) => Math.max(latest, ranAt), 0);
  const figures = { ranAt: rounds.length === 0 ? null : toIso(newest), areAlertsChecked };
  if (alerts === 0 || areAlertsChecked) return [newFinding.good(text, figures)];
  return [
    newFinding.doubtful(
      `${text}; ${formatTerminalCount(alerts, 'alert is', 'alerts are')} checked only while a chat is open`,
      'Run "acequia service install", or have cron run "acequia tick" each minute.',
      figures,
    ),
  ];
}

export const RUNNER_NAMES: Readonly<Record<JobRunner, string>> = {
  stdio: 'an assistant',
  serve: '"acequia serve"',
  tick: '"acequia tick"',
};

export function describeRound({ runner, hasMailServer, ranAt }: JobRound, now: number): string {
  const ago = formatRoughDuration(Math.max(0, now - ranAt));
  return `${RUNNER_NAMES[runner]} ${ago} ago (${hasMailServer ? 'with a' : 'no'} mail server)`;
}

/** Returns no finding if no forecast is configured. Does not contact the provider. */
export async function checkForecast(
  env: Environment,
  now: number,
  view: StoreView | null,
): Promise<DoctorFinding[]> {
  const newFinding = findingsAbout('forecast');
  const address = addressOrError(env);
  if (address === null) return [];
  if (address instanceof AcequiaError) return [newFinding.bad(address.message, address.hint ?? '')];

  const forecasts = view === null ? [] : await view.read(allForecasts);
  if (forecasts.length === 0)
    return [
      newFinding.doubtful(
        `none was fetched from ${address.host} yet`,
        'A running server, or "acequia tick", fetches it. The farm needs a module with a position, or a parcel with an outline.',
      ),
    ];

  const failed = forecasts.filter(({ failure }) => failure !== null);
  const fetchedAt = withoutNulls(forecasts.map((forecast) => forecast.fetched_at));
  const age = describeForecastAge(fetchedAt, now);
  if (failed.length === 0) return [newFinding.good(`from ${address.host}; ${age}`)];

  return [
    newFinding.doubtful(
      `the last attempt at ${address.host} failed: ${firstOf(failed).failure}; ${age}`,
      'It is retried every half hour. Check ACEQUIA_FORECAST and the connection; advice continues without a forecast.',
    ),
  ];
}

function describeForecastAge(fetchedAt: readonly number[], now: number): string {
  if (fetchedAt.length === 0) return 'there is none';
  const ageMs = Math.max(0, now - Math.max(...fetchedAt));
  return `the newest is ${formatRoughDuration(ageMs)} old`;
}

function addressOrError(env: Environment): URL | AcequiaError | null {
  try {
    return readForecastAddress(env);
  } catch (error) {
    if (error instanceof AcequiaError) return error;
    throw error;
  }
}
