/** Why a session can end, as the `reason` of the SessionEnd hook (CLI 2.1.332). */
export const EXIT_REASONS = ["clear", "resume", "logout", "prompt_input_exit", "other"] as const;
