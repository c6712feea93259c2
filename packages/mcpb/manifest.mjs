// The manifest of the one-click bundle. Source: MCPB manifest specification, version 0.3.

/**
 * All settings are optional. Their defaults are empty because a client may pass on
 * `${user_config.…}` literally for a setting without a value.
 */
const USER_CONFIG = {
  store: {
    type: 'file',
    title: 'Store',
    description:
      'The file that holds the farm. Default: acequia.db in the data folder of this user.',
    required: false,
    default: '',
  },
  remote_url: {
    type: 'string',
    title: 'Service',
    description:
      'Base address of a service to work with instead of a local store, such as https://water.example.org/v1.',
    required: false,
    default: '',
  },
  api_key: {
    type: 'string',
    title: 'Key',
    description:
      'The key for that service; with a local store, the key whose rights the tools have.',
    sensitive: true,
    required: false,
    default: '',
  },
  language: {
    type: 'string',
    title: 'Language',
    description:
      'A code such as fr: the language of answers (default: English), and of pictures and questions (default: by the country of the company).',
    required: false,
    default: '',
  },
};

const ENVIRONMENT = {
  ACEQUIA_DB: 'store',
  ACEQUIA_REMOTE_URL: 'remote_url',
  ACEQUIA_API_KEY: 'api_key',
  ACEQUIA_LANG: 'language',
};

const argumentLine = ({ name, description }) => `${description}: \${arguments.${name}}`;

export function manifestOf({ name, version, description, license, engines }, catalog) {
  return {
    manifest_version: '0.3',
    name,
    display_name: 'Acequia',
    version,
    description,
    author: { name: 'The Acequia authors' },
    icon: 'icon.png',
    server: {
      type: 'node',
      entry_point: 'dist/acequia.js',
      mcp_config: {
        command: 'node',
        args: ['$' + '{__dirname}/dist/acequia.js'],
        env: Object.fromEntries(
          Object.entries(ENVIRONMENT).map(([variable, key]) => [
            variable,
            `\${user_config.${key}}`,
          ]),
        ),
      },
    },
    tools: catalog.tools.map((tool) => ({ name: tool.name, description: tool.description })),
    prompts: catalog.prompts.map((prompt) => ({
      name: prompt.name,
      description: prompt.description,
      arguments: prompt.arguments.map((argument) => argument.name),
      text: [...prompt.arguments.map(argumentLine), prompt.text].join('\n\n'),
    })),
    keywords: ['irrigation', 'soil moisture', 'agriculture', 'water'],
    license,
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: engines.node } },
    user_config: USER_CONFIG,
  };
}
