import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AcequiaError } from '../schema/error.ts';
import { GUARDS } from './headers.ts';
import type { Limits } from './limits.ts';
import { PROBLEM_TYPE, problemText } from './problem.ts';
import { noHttp, tooLargeHeaders, tooSlow } from './refusals.ts';

/** Headers of a refusal after which the connection is closed: what else comes over it is not read. */
const CLOSING = { ...GUARDS, 'Content-Type': PROBLEM_TYPE, Connection: 'close' };

/** Refuses a request of which the first line and the headers alone were looked at. */
export function refuseAtOnce(outgoing: ServerResponse, error: AcequiaError): void {
  outgoing.writeHead(error.status, CLOSING).end(problemText(error));
}

/** Refuses what never became a request; `begun` is the answer that is under way on that connection. */
export function refuseUnread(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  begun: ServerResponse | undefined,
  limits: Limits,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || begun?.headersSent) {
    socket.destroy();
    return;
  }
  const problem = whyUnread(error.code, limits);
  const text = problemText(problem);
  const headers = { ...CLOSING, 'Content-Length': Buffer.byteLength(text) };
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

function whyUnread(code: string | undefined, limits: Limits): AcequiaError {
  if (code === 'HPE_HEADER_OVERFLOW') return tooLargeHeaders(limits.headerBytes);
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? tooSlow() : noHttp();
}
