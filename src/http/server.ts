import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.ts';
import { GUARDS } from './headers.ts';
import type { Limits } from './limits.ts';
import { listen, urlOf } from './listening.ts';
import { PROBLEM_TYPE, problemText } from './problem.ts';
import { noHttp, tooLongAddress } from './refusals.ts';
import { refuseAtOnce, refuseUnread } from './unread.ts';

/** How often requests that take too long are looked for, in ms. */
const LOOK_EVERY_MS = 500;
/** What was sent before the stop may still be on its way this long, in ms. */
const ON_ITS_WAY_MS = 100;
/** How often connections that have nothing left to answer are then closed, in ms. */
const CLOSE_EVERY_MS = 20;
/** How many connections the system takes ahead of us at most: Node's usual backlog. */
const MOST_WAITING = 511;

export interface ServeOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly limits: Limits;
}

export interface Served {
  /** Scheme, host and port. */
  readonly url: string;
  /** Takes no more connections, answers what was asked, and resolves when all are closed. */
  stop(): Promise<void>;
  /** Cuts every connection that is still open. */
  cut(): void;
}

/** Serves an app on an address; refuses one that cannot be had. */
export async function serveApp(app: App, { host, port, limits }: ServeOptions): Promise<Served> {
  const open = new Set<Socket>();
  const answers = new WeakMap<object, ServerResponse>();
  /** Requests that came while the last connections are taken; null at any other time. */
  let held: (() => void)[] | null = null;
  let isStopping = false;
  const answer = getRequestListener(app.fetch, { errorHandler: () => unreadable() });
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headerSeconds * 1000,
      requestTimeout: Math.max(limits.requestSeconds, limits.headerSeconds) * 1000,
      connectionsCheckingInterval: LOOK_EVERY_MS,
      // Refused in our own words, as any other request without a readable address.
      requireHostHeader: false,
    },
    (incoming: IncomingMessage, outgoing: ServerResponse) => {
      answers.set(incoming.socket, outgoing);
      if (isStopping) outgoing.shouldKeepAlive = false;
      if ((incoming.url ?? '').length > limits.urlBytes) refuseAtOnce(outgoing, tooLongAddress(limits.urlBytes));
      else if (held) held.push(() => void answer(incoming, outgoing));
      else void answer(incoming, outgoing);
    },
  );
  let taken = 0;
  server.on('connection', (socket) => {
    taken++;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('clientError', (error, socket) => refuseUnread(error, socket, answers.get(socket), limits));
  await listen(server, { host, port, options: '--host and --port' });

  /**
   * The system has taken connections that are not ours yet, and gives one a turn of the event loop: closing would reset
   * them. What is asked meanwhile is held, for who has an answer comes back with the next connection.
   */
  async function takeWaiting(): Promise<void> {
    await nextTurn();
    for (let turns = 0, before = -1; before < taken && turns < MOST_WAITING; turns++) {
      before = taken;
      await nextTurn();
    }
  }

  return {
    url: urlOf(server),
    async stop() {
      isStopping = true;
      const waiting: (() => void)[] = [];
      held = waiting;
      let isClosed = false;
      await takeWaiting();
      // The server's own close would cut connections that are idle for it, though a request is on its way over them.
      NetServer.prototype.close.call(server, () => {
        isClosed = true;
      });
      held = null;
      for (const answerHeld of waiting) answerHeld();
      await pausedAndRead(ON_ITS_WAY_MS);
      while (!isClosed) {
        server.closeIdleConnections();
        for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
        await pausedAndRead(CLOSE_EVERY_MS);
      }
    },
    cut: () => server.closeAllConnections(),
  };
}

/** Waits, and then until what had come by the end was read: writes to disk may have held the event loop all the while. */
async function pausedAndRead(ms: number): Promise<void> {
  await pause(ms);
  await nextTurn();
}

/** A request whose address or Host cannot be read. */
function unreadable(): Response {
  const error = noHttp();
  return new Response(problemText(error), {
    status: error.status,
    headers: { ...GUARDS, 'Content-Type': PROBLEM_TYPE },
  });
}
