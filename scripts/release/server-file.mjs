// The entry of the MCP registry.
import { identityOf } from './identity.mjs';

const ENVIRONMENT_VARIABLES = [
  {
    name: 'ACEQUIA_DB',
    description:
      'The file that holds the farm. Default: acequia.db in the data folder of the user.',
    format: 'filepath',
    isRequired: false,
  },
  {
    name: 'ACEQUIA_REMOTE_URL',
    description: 'Base address of a service to work with instead of a local store.',
    placeholder: 'https://water.example.org/v1',
    isRequired: false,
  },
  {
    name: 'ACEQUIA_API_KEY',
    description:
      'The key for that service; with a local store, the key whose rights the tools have.',
    isRequired: false,
    isSecret: true,
  },
  {
    name: 'ACEQUIA_TOOLSETS',
    description: 'Offer only these toolsets, separated by commas.',
    placeholder: 'irrigation,monitoring',
    isRequired: false,
  },
  {
    name: 'ACEQUIA_READ_ONLY',
    description: 'Offer nothing that writes.',
    format: 'boolean',
    isRequired: false,
  },
  {
    name: 'ACEQUIA_LANG',
    description:
      'Language of labels and names (default: English), and of pictures and questions (default: by the country of the company).',
    choices: ['en', 'fr', 'es'],
    isRequired: false,
  },
];

/** A service that a farm runs itself. */
const REMOTES = [
  {
    type: 'streamable-http',
    url: 'https://{host}/mcp',
    variables: {
      host: {
        description:
          'The host of the Acequia service that your farm uses, with its port if that is not 443.',
        placeholder: 'water.example.org',
        isRequired: true,
      },
    },
    headers: [
      {
        name: 'Authorization',
        description: 'A key of that service. Leave it out where the service signs you in by OAuth.',
        value: 'Bearer {api_key}',
        variables: {
          api_key: {
            description: 'Made on that service with: acequia keys create --preset assistant',
            isRequired: false,
            isSecret: true,
          },
        },
        isRequired: false,
        isSecret: true,
      },
    ],
  },
];

/** `described` is package.json with the fields that a release has; `bundleHash` is in SHA-256. */
export function serverFile(described, bundleHash) {
  const { name, version } = described;
  const identity = identityOf(described);
  const { url } = identity.repository;
  const fileAt = (path) =>
    `https://raw.githubusercontent.com${new URL(url).pathname}/v${version}/${path}`;

  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...identity,
    icons: [
      { src: fileAt('docs/icon-512.png'), mimeType: 'image/png', sizes: ['512x512'] },
      { src: fileAt('docs/icon.svg'), mimeType: 'image/svg+xml', sizes: ['any'] },
    ],
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        environmentVariables: ENVIRONMENT_VARIABLES,
      },
      {
        registryType: 'mcpb',
        identifier: `${url}/releases/download/v${version}/${name}-${version}.mcpb`,
        fileSha256: bundleHash,
        transport: { type: 'stdio' },
      },
    ],
    remotes: REMOTES,
  };
}
