import { AcequiaError } from '../../schema/error.ts';
import type { PostgresStoreView, ServerFacts } from '../../store/postgres/view.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { type DoctorFinding, findingsAbout, formatBytes, unfinishedStoreFinding } from './findings.ts';
import type { StoreExamination } from './store-file-check.ts';

/** A process of Acequia takes up to so many connections. */
const CONNECTIONS_PER_PROCESS = 10;

/** Looks at a database and at who asks it. One without tables is left without. */
export async function examineDatabase(url: string): Promise<StoreExamination> {
  const finding = findingsAbout('store');
  try {
    const { viewPostgresStore } = await import('../../store/postgres/view.ts');
    const view = await viewPostgresStore(url);
    const findings = [
      checkDatabaseState(redactedLocation(url), view),
      checkRowLevelSecurity(view.facts),
      checkConnections(view.facts),
    ];
    if (view.state === 'current') return { findings, view };
    await view.close();
    return { findings, view: null };
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    return { findings: [finding.bad(error.message, error.hint ?? 'Look at the server.')], view: null };
  }
}

function checkDatabaseState(place: string, { state, facts }: PostgresStoreView): DoctorFinding {
  const finding = findingsAbout('store');
  const what = `${place} (PostgreSQL ${facts.version}, ${formatBytes(facts.bytes)})`;
  if (facts.isStandby)
    return finding.bad(`${what} is a standby, which takes no writes`, 'Name the server that it follows with --db.');
  if (state === 'new')
    return finding.doubtful(
      `${what} is empty`,
      'Run "acequia import farm.json" to bring a farm in; the tables are made then.',
    );
  if (state === 'unfinished') return unfinishedStoreFinding(place);
  if (state === 'behind')
    return finding.doubtful(
      `${what} was written by an earlier Acequia; zones, mail and leases are looked at once it is up to date`,
      'Keep a backup; the next server or "acequia tick" brings it up to date. Then run the doctor again.',
    );
  return finding.good(`${what} answers, and its tables are those of this version`);
}

function checkRowLevelSecurity({ user, bypassesRowSecurity }: ServerFacts): DoctorFinding {
  const finding = findingsAbout('row security');
  if (bypassesRowSecurity)
    return finding.doubtful(
      `the user ${user} passes by row-level security: every query is confined to its company, but nothing stands behind that`,
      'Make a role for Acequia that is no superuser and has no BYPASSRLS, and let it own the database.',
    );
  return finding.good(`the server holds the user ${user} to one company in each transaction`);
}

function checkConnections({ connections, mostConnections }: ServerFacts): DoctorFinding {
  const finding = findingsAbout('connections');
  const text = `${connections} of ${mostConnections} connections of the server are taken`;
  if (mostConnections - connections < CONNECTIONS_PER_PROCESS)
    return finding.doubtful(
      text,
      `A process of Acequia takes up to ${CONNECTIONS_PER_PROCESS}: raise max_connections, or run fewer processes.`,
    );
  return finding.good(text);
}
