/** When an agent may be given something, as the walker `hook_answer` names it. */
export type HookMoment =
  | 'session_start'
  | 'prompt'
  | 'read'
  | 'before_edit'
  | 'before_command'
  | 'edited'
  | 'failure';
