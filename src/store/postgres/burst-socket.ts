import { Socket } from 'node:net';

/**
 * A socket that sends what one callback and its promises write together: queries that do not wait
 * for each other's answers reach the server as one message. It is sent before other callbacks run,
 * so that the server answers while they do.
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
      // A tick that is set in a microtask runs after all microtasks.
      queueMicrotask(() =>
        process.nextTick(() => {
          isCollecting = false;
          socket.uncork();
        }),
      );
    }
    return write(...args);
  };
  Object.assign(socket, { write: collectingWrite });
}
