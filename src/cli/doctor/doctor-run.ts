import { tools } from '../../../tools/index.ts';
import { HTTP_LIMITS } from '../../http/limits.ts';
import type { AcequiaError } from '../../schema/error.ts';
import { isPostgresUrl } from '../../store/store-location.ts';
import { COPY_VARIABLES } from '../copy-command.ts';
import { INGEST_VARIABLES } from '../ingest-command.ts';
import { print } from '../process/output.ts';
import { type SettingSources, type Settings, settingVariables } from '../process/settings.ts';
import { allowedCallerVariables, SERVE_VARIABLES } from '../serve-command.ts';
import { checkClients } from './assistant-check.ts';
import { checkLeases, checkOutbox } from './background-job-checks.ts';
import { checkClock, checkZones } from './clock-checks.ts';
import { checkConfiguration } from './configuration-check.ts';
import { examineDatabase } from './database-check.ts';
import { type DoctorFinding, findingsAbout, formatFindings, formatFindingsJson } from './findings.ts';
import { checkMail } from './mail-check.ts';
import { checkRemote } from './remote-check.ts';
import { examineStore } from './store-file-check.ts';

/** What is said in the environment alone, secrets among it. */
const ENVIRONMENT_ONLY_VARIABLES = [
  ...['ACEQUIA_SMTP_URL', 'ACEQUIA_MAIL_FROM', 'ACEQUIA_API_KEY'],
  ...['ACEQUIA_MQTT_USERNAME', 'ACEQUIA_MQTT_PASSWORD'],
];

/**
 * Looks at everything that must be right for Acequia to serve, watch and tell, and prints how each thing stands and what
 * to do; with a remote service, at that in place of a store. Changes nothing, but that the mail server is spoken with. Returns the exit code: 1 when something is bad.
 */
export async function runDoctor(
  { json }: { json?: boolean },
  settings: Settings,
  sources: SettingSources,
): Promise<number> {
  const findings = await examine(settings, sources);
  print(json ? formatFindingsJson(findings) : formatFindings(findings));
  return findings.some(({ level }) => level === 'bad') ? 1 : 0;
}

async function examine(settings: Settings, sources: SettingSources): Promise<DoctorFinding[]> {
  const now = settings.clock();
  const { env } = process;
  const variables = [
    ...settingVariables(),
    ...ENVIRONMENT_ONLY_VARIABLES,
    ...allowedCallerVariables(),
    ...HTTP_LIMITS.map((limit) => limit.env),
    ...SERVE_VARIABLES,
    ...COPY_VARIABLES,
    ...INGEST_VARIABLES,
  ];
  const configuration = checkConfiguration(settings, { sources, variables, env });
  const { db, remote, apiKey } = settings;
  if (remote !== null)
    return [
      ...configuration,
      ...(await runChecks([
        ['service', () => checkRemote({ url: remote, key: apiKey, operations: tools })],
        ['zones', () => checkZones(now, null)],
      ])),
    ];
  const { findings: store, view } = await (isPostgresUrl(db) ? examineDatabase(db) : examineStore(db));
  try {
    const checks: Check[] = [
      ['clock', () => checkClock(now, sources.clock, view)],
      ['zones', () => checkZones(now, view)],
      ['mail', () => checkMail(env, view)],
      ['outbox', () => checkOutbox(now, view)],
      ['lease', () => checkLeases(Date.now(), view)],
      ['assistants', () => checkClients(settings, process.argv[1]!)],
    ];
    return [...configuration, ...store, ...(await runChecks(checks))];
  } finally {
    await view?.close();
  }
}

type Check = readonly [subject: string, check: () => Promise<DoctorFinding | DoctorFinding[]>];

/** What checks find, one after the other. */
async function runChecks(checks: readonly Check[]): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const [subject, check] of checks) findings.push(...[await check().catch(toFailedCheck(subject))].flat());
  return findings;
}

/** A check that could not be made is a finding, and the others are made all the same. */
const toFailedCheck =
  (subject: string) =>
  (error: unknown): DoctorFinding => {
    const { message, hint } = error as Partial<AcequiaError>;
    const what = `this could not be looked at: ${message ?? String(error)}`;
    return findingsAbout(subject).bad(what, hint ?? 'Run the doctor again; if it stays, look at the store first.');
  };
