import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type Databases, databasesOn } from './databases.ts';
import { type PostgresServer, startServer } from './server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests ask for databases. */
    readonly postgresDoor: string;
  }
}

interface Opened {
  readonly server: PostgresServer;
  readonly databases: Databases;
}

const NONE = `
NOT TESTED ON POSTGRESQL: there is no server. What would run on it runs on SQLite or is skipped. Name one in ACEQUIA_TEST_PG.
`;

/**
 * One PostgreSQL for all the processes of a run: it starts when the first of them asks, and goes with the run. Where
 * there is none, the run says so at its beginning and at its end.
 */
export default async function openDoor(project: TestProject): Promise<() => Promise<void>> {
  let opening: Promise<Opened> | undefined;
  let failure: string | undefined;
  const opened = (): Promise<Opened> => {
    opening ??= open();
    return opening;
  };
  async function open(): Promise<Opened> {
    const server = await startServer().catch((error: Error) => {
      failure = `${NONE}${error.message}\n`;
      process.stderr.write(failure);
      throw error;
    });
    return { server, databases: databasesOn(server) };
  }

  const door = createServer(async (request, response) => {
    const asked = new URL(request.url!, 'http://door');
    try {
      answer(response, 200, await answerOf(await opened(), asked.pathname, asked.searchParams.get('db') ?? ''));
    } catch (error) {
      answer(response, failure ? 503 : 500, { reason: (error as Error).stack });
    }
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  project.provide('postgresDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);

  return async () => {
    door.closeAllConnections();
    door.close();
    const all = await opening?.catch(() => undefined);
    await all?.databases.end();
    await all?.server.stop();
    if (failure) process.stderr.write(failure);
  };
}

async function answerOf({ server, databases }: Opened, path: string, db: string): Promise<object> {
  switch (path) {
    case '/server':
      return { url: server.home, adminUrl: server.adminHome };
    case '/empty-store':
      return { db: await databases.emptyStore() };
    case '/new/nothing':
      return { db: await databases.made('nothing') };
    case '/new/tables':
      return { db: await databases.made('tables') };
    case '/copy':
      return { db: await databases.copied(db) };
    case '/take':
      await databases.taken(db);
      return {};
    default:
      throw new Error(`Nothing at ${path}`);
  }
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
