/**
 * A client with little overhead: connections stay open, and each sends one request after the other.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD_END = '\r\n\r\n';

export function requestText({ method, path, key, body }) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const bodyHeaders =
    body === undefined
      ? ''
      : `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nx-api-key: ${key}\r\n${bodyHeaders}\r\n${text}`;
}

async function converse(port, { next, status, isOver }) {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');
  const begin = `HTTP/1.1 ${status} `;
  let rest = '';
  let answered = 0;
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.setEncoding('latin1').on('data', (text) => {
      rest += text;
      const head = rest.indexOf(HEAD_END);
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(rest)[1]);
      if (rest.length < head + HEAD_END.length + length) return;
      if (!rest.startsWith(begin)) {
        reject(new Error(rest));
        return;
      }
      rest = '';
      answered++;
      if (isOver()) socket.end(() => resolve(answered));
      else socket.write(next());
    });
    socket.write(next());
  });
}

export async function responsesPerSecond(port, { connections, ms, next, status }) {
  const startedMs = performance.now();
  const isOver = () => performance.now() - startedMs >= ms;
  const answered = await Promise.all(
    Array.from({ length: connections }, () => converse(port, { next, status, isOver })),
  );
  return answered.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedMs) / 1000);
}
