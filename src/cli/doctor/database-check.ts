import { AcequiaError } from '../../schema/error.ts';
import type { PostgresStoreView, ServerFacts } from '../../store/postgres/view.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { formatBytes } from '../process/output.ts';
import { type DoctorFinding, findingsAbout, unfinishedStoreFinding } from './findings.ts';
import type { StoreExamination } from './store-file-check.ts';

const CONNECTIONS_PER_PROCESS = 10;

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
  const database = `${place} (PostgreSQL ${facts.version}, ${formatBytes(facts.bytes)})`;
  if (facts.isStandby)
    return finding.bad(`${database} is a standby, which accepts no writes`, 'Name the primary server with --db.');
  if (state === 'new')
    return finding.doubtful(
      `${database} is empty`,
      'Run "acequia init" or "acequia import farm.json" to bring a farm in; the tables are made then.',
    );
  if (state === 'unfinished') return unfinishedStoreFinding(place);
  if (state === 'behind')
    return finding.doubtful(
      `${database} was written by an earlier Acequia; zones, mail and leases can be checked once it is up to date`,
      'Keep a backup; the next server or "acequia tick" upgrades it. Then run the doctor again.',
    );
  return finding.good(`${database} answers and has the schema of this version`);
}

function checkRowLevelSecurity({ user, bypassesRowSecurity }: ServerFacts): DoctorFinding {
  const finding = findingsAbout('row security');
  if (bypassesRowSecurity)
    return finding.doubtful(
      `the user ${user} bypasses row-level security: every query is still limited to one company, but the database does not enforce it`,
      'Create a role for Acequia without SUPERUSER and BYPASSRLS, and make it the owner of the database.',
    );
  return finding.good(`row-level security limits the user ${user} to one company per transaction`);
}

function checkConnections({ connections, maxConnections }: ServerFacts): DoctorFinding {
  const finding = findingsAbout('connections');
  const text = `${connections} of ${maxConnections} connections of the server are in use`;
  if (maxConnections - connections < CONNECTIONS_PER_PROCESS)
    return finding.doubtful(
      text,
      `A process of Acequia uses up to ${CONNECTIONS_PER_PROCESS}: raise max_connections, or run fewer processes.`,
    );
  return finding.good(text);
}
