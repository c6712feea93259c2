import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AcequiaError } from '../schema/error.ts';
import { SECURITY_HEADERS } from './headers.ts';
import type { HttpLimits } from './limits.ts';
import { PROBLEM_TYPE, problemText } from './problem.ts';
import { headersTooLarge, malformedRequest, requestTimeout } from './refusals.ts';

/** Headers of a refusal after which the connection is closed: what else comes over it is not read. */
const CLOSING_HEADERS = { ...SECURITY_HEADERS, 'Content-Type': PROBLEM_TYPE, Connection: 'close' };

/** Refuses a request of which the first line and the headers alone were looked at. */
export function refuseEarly(outgoing: ServerResponse, error: AcequiaError): void {
  outgoing.writeHead(error.status, CLOSING_HEADERS).end(problemText(error));
}

/** Refuses what never became a request; `begun` is the answer that is under way on that connection. */
export function refuseMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  response: ServerResponse | undefined,
  limits: HttpLimits,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent) {
    socket.destroy();
    return;
  }
  const problem = parserErrorOf(error.code, limits);
  const text = problemText(problem);
  const headers = { ...CLOSING_HEADERS, 'Content-Length': Buffer.byteLength(text) };
  const lines = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

function parserErrorOf(code: string | undefined, limits: HttpLimits): AcequiaError {
  if (code === 'HPE_HEADER_OVERFLOW') return headersTooLarge(limits.headerBytes);
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? requestTimeout() : malformedRequest();
}
