import { AcequiaError } from '../../schema/error.ts';
import { shownPlace } from '../../store/address.ts';
import type { ServerFacts, ServerView } from '../../store/postgres/view.ts';
import { type Finding, findingsOn, saySize, unfinishedAt } from './finding.ts';
import type { Examined } from './store.ts';

/** A process of Acequia takes up to so many connections. */
const CONNECTIONS = 10;

/** Looks at a database and at who asks it. One without tables is left without. */
export async function examineDatabase(url: string): Promise<Examined> {
  const found = findingsOn('store');
  try {
    const { viewDatabase } = await import('../../store/postgres/view.ts');
    const view = await viewDatabase(url);
    const findings = [checkState(shownPlace(url), view), checkWalls(view.facts), checkConnections(view.facts)];
    if (view.state === 'current') return { findings, view };
    await view.close();
    return { findings, view: null };
  } catch (error) {
    if (!(error instanceof AcequiaError)) throw error;
    return { findings: [found.bad(error.message, error.hint ?? 'Look at the server.')], view: null };
  }
}

function checkState(place: string, { state, facts }: ServerView): Finding {
  const found = findingsOn('store');
  const what = `${place} (PostgreSQL ${facts.version}, ${saySize(facts.bytes)})`;
  if (facts.isStandby)
    return found.bad(`${what} is a standby, which takes no writes`, 'Name the server that it follows with --db.');
  if (state === 'new')
    return found.doubtful(
      `${what} is empty`,
      'Run "acequia import farm.json" to bring a farm in; the tables are made then.',
    );
  if (state === 'unfinished') return unfinishedAt(place);
  if (state === 'behind')
    return found.doubtful(
      `${what} was written by an earlier Acequia; zones, mail and leases are looked at once it is up to date`,
      'Keep a backup; the next server or "acequia tick" brings it up to date. Then run the doctor again.',
    );
  return found.good(`${what} answers, and its tables are those of this version`);
}

function checkWalls({ user, passesWalls }: ServerFacts): Finding {
  const found = findingsOn('row security');
  if (passesWalls)
    return found.doubtful(
      `the user ${user} passes by row-level security: every query is confined to its company, but nothing stands behind that`,
      'Make a role for Acequia that is no superuser and has no BYPASSRLS, and let it own the database.',
    );
  return found.good(`the server holds the user ${user} to one company in each transaction`);
}

function checkConnections({ connections, mostConnections }: ServerFacts): Finding {
  const found = findingsOn('connections');
  const said = `${connections} of ${mostConnections} connections of the server are taken`;
  if (mostConnections - connections < CONNECTIONS)
    return found.doubtful(
      said,
      `A process of Acequia takes up to ${CONNECTIONS}: raise max_connections, or run fewer processes.`,
    );
  return found.good(said);
}
