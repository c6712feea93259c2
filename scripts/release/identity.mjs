// What the server card and the entry of the MCP registry say of the program, from package.json.

/** Of a program that no registry knows: the card needs a name. */
const UNREGISTERED_NAME = 'local/acequia';

/** Fields of package.json that the first release adds, because nobody owns their names before. */
export const PUBLISHED_FIELDS = ['mcpName', 'homepage', 'repository'];

export function identityOf({ mcpName, version, description, homepage, repository }) {
  const url = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
  return {
    name: mcpName ?? UNREGISTERED_NAME,
    title: 'Acequia',
    description,
    version,
    ...(homepage && { websiteUrl: homepage }),
    ...(url && { repository: { url, source: 'github' } }),
  };
}
