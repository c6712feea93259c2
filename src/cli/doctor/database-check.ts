import { AcequiaError } from '../../schema/error.ts';
import type { PostgresStoreView, ServerFacts } from '../../store/postgres/view.ts';
import type { StoreView } from '../../store/store-interface.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { unfinishedCopyError } from '../../store/store-state-errors.ts';
import { formatBytes } from '../process/output.ts';
import { type DoctorFinding, findingsAbout } from './findings.ts';

export interface StoreExamination {
  readonly findings: readonly DoctorFinding[];
  /** Null if the store cannot be read by this version. */
  readonly view: StoreView | null;
}

/** At most: pools, notifications, and the threads for long reads. docs/scale.md counts them. */
const CONNECTIONS_PER_PROCESS = 21;

export async function examineDatabase(url: string): Promise<StoreExamination> {
  const newFinding = findingsAbout('store');
  try {
    const { viewPostgresStore } = await import('../../store/postgres/view.ts');
    const view = await viewPostgresStore(url);
    const findings = [
      checkDatabaseState(redactedLocation(url), view),
      checkRowLevelSecurity(view.facts),
      checkConnections(view.facts),
      checkServerWrites(view.facts),
    ];
    if (view.state === 'current') return { findings, view };

    await view.close();
    return { findings, view: null };
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    return {
      findings: [newFinding.bad(error.message, error.hint ?? 'Look at the server.')],
      view: null,
    };
  }
}

function checkDatabaseState(location: string, { state, facts }: PostgresStoreView): DoctorFinding {
  const newFinding = findingsAbout('store');
  const database = `${location} (PostgreSQL ${facts.version}, ${formatBytes(facts.bytes)})`;
  if (facts.isStandby)
    return newFinding.bad(
      `${database} is a standby, which accepts no writes`,
      'Name the primary server with --db.',
    );

  if (facts.isReadOnly)
    return newFinding.bad(
      `${database} accepts no writes: default_transaction_read_only is on`,
      `Set it to off for the server, the database or the user ${facts.user}, or name another server with --db.`,
    );

  if (state === 'new')
    return newFinding.doubtful(
      `${database} is empty`,
      'Run "acequia init" or "acequia import farm.json" to bring a farm in; the tables are made then.',
    );

  if (state === 'unfinishedCopy') return unfinishedStoreFinding(location);
  if (state === 'needsMigration')
    return newFinding.doubtful(
      `${database} was written by an earlier Acequia; zones, mail and leases can be checked once it is up to date`,
      'Keep a backup; the next server or "acequia tick" upgrades it. Then run the doctor again.',
    );

  return newFinding.good(
    `${database} answers and has the schema of this version; its tables stand in ${facts.schema}`,
  );
}

function checkServerWrites({ isDiskFull, lockedTables }: ServerFacts): DoctorFinding {
  const newFinding = findingsAbout('writes');
  if (isDiskFull)
    return newFinding.bad(
      'the disk of the server is full',
      'Free some space on it; until then reads still work, and writes are refused.',
    );

  if (lockedTables !== null)
    return newFinding.doubtful(
      `another program has locked ${lockedTables}, and writes wait for it, up to 30 seconds`,
      'Wait for the import or maintenance that locks them, or stop it. pg_locks names its session.',
    );
  return newFinding.good('the disk of the server has space, and no lock keeps writes waiting');
}

function checkRowLevelSecurity({ user, bypassesRowSecurity }: ServerFacts): DoctorFinding {
  const newFinding = findingsAbout('row security');
  if (bypassesRowSecurity)
    return newFinding.doubtful(
      `the user ${user} bypasses row-level security: every query is still limited to one company, but the database does not enforce it`,
      'Create a role for Acequia without SUPERUSER and BYPASSRLS, and make it the owner of the database.',
    );
  return newFinding.good(
    `row-level security limits the user ${user} to one company per transaction`,
  );
}

function checkConnections({ connections, maxConnections }: ServerFacts): DoctorFinding {
  const newFinding = findingsAbout('connections');
  const text = `${connections} of ${maxConnections} connections of the server are in use`;
  if (maxConnections - connections < CONNECTIONS_PER_PROCESS)
    return newFinding.doubtful(
      text,
      `A process of Acequia uses up to ${CONNECTIONS_PER_PROCESS}: raise max_connections, or run fewer processes.`,
    );
  return newFinding.good(text);
}

export function unfinishedStoreFinding(location: string): DoctorFinding {
  const { message, hint } = unfinishedCopyError(location);
  return findingsAbout('store').bad(message, hint ?? '');
}
