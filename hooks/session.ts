/**
 * The variable in which an agent tells the MCP servers that it starts which session they serve (C-10), by the agent's
 * name: measured with Qwen Code 0.24 (0.15 has none). After `/clear` it still names the session before.
 */
const SESSION_VARIABLES: Readonly<Record<string, string>> = {
  qwen: 'QWEN_CODE_SESSION_ID',
  claude: 'CLAUDE_CODE_SESSION_ID',
};

/** The session of an agent that a server was started for; null where the agent does not tell. */
export function sessionOf(client: string, env: Readonly<Record<string, string | undefined>>): string | null {
  const variable = SESSION_VARIABLES[client];
  return (variable === undefined ? undefined : env[variable]) || null;
}
