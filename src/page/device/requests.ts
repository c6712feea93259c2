/** Beside the operations, what the service knows of this device. */
export interface DeviceState {
  readonly email: string | null;
  /** Of the service, at push services. */
  readonly pushKey: string;
  readonly hasPush: boolean;
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = new Headers({ 'Acequia-Page': '1' });
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const response = await fetch(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(String(response.status));
  return response;
}

const readDevice = async (): Promise<DeviceState> => (await send('GET', 'page/device')).json();
export const savePush = (body: unknown): Promise<Response> => send('PUT', 'page/push', body);
export const deletePush = (): Promise<Response> => send('DELETE', 'page/push');
export const signOut = (): Promise<Response> => send('POST', 'sign-out');

const RETRY_MS = 5_000;

/** The service may be down while the page is opened. Returns how to stop. */
export function onceDeviceKnown(onKnown: (device: DeviceState) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const attempt = (): void =>
    void readDevice().then(onKnown, ({ message }: Error) => {
      if (message !== '401') timer = setTimeout(attempt, RETRY_MS);
    });
  attempt();
  return () => clearTimeout(timer);
}
