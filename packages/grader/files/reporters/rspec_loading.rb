# frozen_string_literal: true

# Required by rspec (-r) before the spec files: a file that fails to load no longer keeps all others from running. The
# report still counts the error and names the file.
module R2eLoading
  def load_spec_files
    super
  ensure
    RSpec.world.wants_to_quit = false
    RSpec.world.rspec_is_quitting = false if RSpec.world.respond_to?(:rspec_is_quitting=)
  end

  private

  def load_file_handling_errors(method, file)
    super
  rescue SystemExit
    raise unless method == :load
  end
end

RSpec::Core::Configuration.prepend(R2eLoading)
