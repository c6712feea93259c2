import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { type TestDatabases, testDatabasesOn } from './postgres-databases.ts';
import { startServer, type TestPostgres } from './postgres-server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresBroker: string;
  }
}

interface RunningPostgres {
  readonly server: TestPostgres;
  readonly databases: TestDatabases;
}

const NO_SERVER = `
NOT TESTED ON POSTGRESQL: there is no server, so these tests are skipped. Name one in ACEQUIA_TEST_PG.
`;

/**
 * One PostgreSQL for all processes of a run: it starts on the first request and stops with the run.
 * If it cannot be started, the run reports that at its beginning and its end.
 */
export default async function startDatabaseBroker(
  project: TestProject,
): Promise<() => Promise<void>> {
  let opening: Promise<RunningPostgres> | undefined;
  let failure: string | undefined;
  const opened = (): Promise<RunningPostgres> => {
    opening ??= open();
    return opening;
  };
  async function open(): Promise<RunningPostgres> {
    const server = await startServer().catch((error: Error) => {
      failure = `${NO_SERVER}${error.message}\n`;
      process.stderr.write(failure);
      throw error;
    });
    return { server, databases: testDatabasesOn(server) };
  }

  const broker = createServer(async (request, response) => {
    const query = new URL(request.url!, 'http://broker');
    try {
      respond(
        response,
        200,
        await handleRequest(await opened(), query.pathname, query.searchParams.get('db') ?? ''),
      );
    } catch (error) {
      respond(response, failure ? 503 : 500, { reason: (error as Error).stack });
    }
  });
  broker.listen(0, '127.0.0.1');
  await once(broker, 'listening');
  project.provide('postgresBroker', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);

  return async () => {
    broker.closeAllConnections();
    broker.close();
    const all = await opening?.catch(() => undefined);
    await all?.databases.end();
    await all?.server.stop();
    if (failure) process.stderr.write(failure);
  };
}

async function handleRequest(
  { server, databases }: RunningPostgres,
  path: string,
  db: string,
): Promise<object> {
  switch (path) {
    case '/server':
      return { url: server.maintenanceUrl, adminUrl: server.adminUrl };
    case '/empty-store':
      return { db: await databases.emptyStore() };
    case '/new/nothing':
      return { db: await databases.create('nothing') };
    case '/new/tables':
      return { db: await databases.create('tables') };
    case '/copy':
      return { db: await databases.copy(db) };
    case '/take':
      await databases.release(db);
      return {};
    default:
      throw new Error(`Nothing at ${path}`);
  }
}

function respond(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
