import { Socket } from 'node:net';

/**
 * A socket that sends what is written in one turn of the event loop together: queries that do not
 * wait for each other's answers reach the server as one message.
 */
export function burstSocket(): Socket {
  const socket = new Socket();
  // `connect` restores the method that writes.
  socket.once('connect', () => sendInBursts(socket));
  return socket;
}

function sendInBursts(socket: Socket): void {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isCollecting = false;
  const collectingWrite = (...args: unknown[]): boolean => {
    if (!isCollecting) {
      isCollecting = true;
      socket.cork();
      setImmediate(() => {
        isCollecting = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
  Object.assign(socket, { write: collectingWrite });
}
