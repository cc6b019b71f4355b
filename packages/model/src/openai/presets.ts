/** A provider by name: its base URL, and the variable that its key is in. */
export interface Preset {
  readonly endpoint: string
  /** Absent = it asks for no key. */
  readonly apiKeyEnv?: string
  /** Tool calls carry `extra_content` that has to come back with the conversation. */
  readonly keepsExtra?: true
}

export const PRESETS: Readonly<Record<string, Preset>> = {
  openai: { endpoint: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY' },
  anthropic: { endpoint: 'https://api.anthropic.com/v1', apiKeyEnv: 'ANTHROPIC_API_KEY' },
  huggingface: { endpoint: 'https://router.huggingface.co/v1', apiKeyEnv: 'HF_TOKEN' },
  together: { endpoint: 'https://api.together.xyz/v1', apiKeyEnv: 'TOGETHER_API_KEY' },
  groq: { endpoint: 'https://api.groq.com/openai/v1', apiKeyEnv: 'GROQ_API_KEY' },
  gemini: {
    endpoint: 'https://generativelanguage.googleapis.com/v1beta/openai',
    apiKeyEnv: 'GEMINI_API_KEY',
    keepsExtra: true,
  },
  vllm: { endpoint: 'http://localhost:8000/v1' },
  ollama: { endpoint: 'http://localhost:11434/v1' },
}
