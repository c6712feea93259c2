/** Name and port as a Host header gives them; null where it gives none. */
export function parseHost(text: string | undefined): { host: string; hostname: string } | null {
  if (text === undefined || !/^[\w.:[\]-]+$/.test(text) || !URL.canParse(`http://${text}`)) return null;
  const { host, hostname } = new URL(`http://${text}`);
  return { host, hostname };
}
