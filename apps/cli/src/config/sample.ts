/** The file that `init` writes. A test parses it, as it stands and with every commented value switched on. */
export const sampleConfig = `# Configuration of r2e. Every key is checked: a misspelt one is an error with its line.
# Order of precedence: flags, then R2E_SECTION__FIELD variables (also from .env), then this file, then defaults.
# See what comes out of it:  r2e config print --config THIS_FILE

repo:
  url: ./                     # owner/name, any git URL, or a path (absolute, ~, ./ or ../)
  # ref: HEAD                 # branch, tag or commit
  # access: auto              # public, private or auto
  # auth_token_env: MY_TOKEN  # NAME of the variable that holds a token, never the token
  # sparse_paths: [src/]      # only changes below these paths become candidates

pipeline:
  name: commit_runtime        # r2e pipelines list
  options:                    # r2e pipelines describe commit_runtime
    limit: 10

output:
  destination: ./dataset
  # org: default              # first half of task names
  # dataset_name: my-dataset  # default: last part of the destination
  # visibility: public        # public or private, once published

# sandbox:
#   provider: auto            # auto, docker, local or none
#   concurrency: 10           # never more than cores
#   network: build_open_run_restricted
#   timeout_sec: 600          # limit of one test run
#   cpus: 1
#   memory_mb: 4096

# bootstrap:
#   languages_hint: [python]  # languages to try first
#   base_image: python:3.13   # instead of the inferred one
#   setup: []                 # commands run after the dependencies, such as apt-get install -y less
#   test_cmd: python -m pytest

# qa:
#   determinism_runs: 3       # fresh runs of the broken and of the solved state
#   oracle_runs: 3           # times the final task is scored, with its oracle and without

# llm:                        # only where something needs a model
#   provider: openai          # or anthropic, huggingface, together, groq, gemini, vllm, ollama, or any with an endpoint
#   model: NAME
#   api_key_env: OPENAI_API_KEY  # NAME of the variable that holds the key, never the key
#   price: "1.25,10"          # USD for a million tokens, input and output; unset = unknown, which is not 0

# seed: 0
# max_spend_usd: 5            # cap of all model calls, 0 = no cap
# max_spend_tokens: 0         # the same in tokens, for models without a price
`
