/** Phones also reach a service without TLS, where `crypto.randomUUID` does not exist. */
export const newIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
