#include "tuner/jit/kernel_store.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace redtune::jit {

std::string encode_kernel(const CompiledKernel& kernel, const std::string& key_of_cubin) {
    return nlohmann::json{{"cubin", key_of_cubin},
                          {"symbol", kernel.symbol},
                          {"nvrtc", kernel.nvrtc},
                          {"registers", kernel.resources.registers},
                          {"shared_bytes", kernel.resources.shared_bytes},
                          {"spill_bytes", kernel.resources.spill_bytes}}
        .dump();
}

std::optional<KernelEntry> decode_kernel(const std::string& text) {
    KernelEntry entry;
    CompiledKernel& kernel = entry.kernel;
    try {
        const auto json = nlohmann::json::parse(text);
        json.at("cubin").get_to(entry.key_of_cubin);
        json.at("symbol").get_to(kernel.symbol);
        json.at("nvrtc").get_to(kernel.nvrtc);
        json.at("registers").get_to(kernel.resources.registers);
        json.at("shared_bytes").get_to(kernel.resources.shared_bytes);
        json.at("spill_bytes").get_to(kernel.resources.spill_bytes);
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
    return entry;
}

std::optional<CompiledKernel> KernelStore::find(const KernelKey& key, const AcceptNvrtc& accepts) {
    const auto known = kernels_.find(key);
    if (known != kernels_.end() && accepts(known->second.nvrtc)) return known->second;
    std::optional<CompiledKernel> kernel = read(key, accepts);
    if (kernel) kernels_.insert_or_assign(key, *kernel);
    return kernel;
}

std::optional<CompiledKernel> KernelStore::read(const KernelKey& key, const AcceptNvrtc& accepts) {
    std::optional<CompiledKernel> found;
    cache_.find(to_text(key), [&](const std::string& text) {
        std::optional<KernelEntry> entry = decode_kernel(text);
        if (!entry || !accepts(entry->kernel.nvrtc)) return false;
        entry->kernel.cubin = read_cubin(entry->key_of_cubin);
        entry->kernel.architecture = key.architecture;
        if (entry->kernel.cubin != nullptr) found = std::move(entry->kernel);
        return found.has_value();
    });
    return found;
}

std::shared_ptr<const std::string> KernelStore::read_cubin(const std::string& key) {
    if (const auto known = cubins_.find(key); known != cubins_.end()) return known->second;
    std::optional<std::string> bytes = cache_.get(key);
    if (!bytes) return nullptr;
    return cubins_[key] = std::make_shared<const std::string>(std::move(*bytes));
}

void KernelStore::put(const std::vector<KernelKey>& keys, const std::vector<CompiledKernel>& kernels) {
    if (keys.empty()) return;
    const std::shared_ptr<const std::string>& cubin = kernels.front().cubin;
    const std::string key_of_cubin = cubin_key(keys.front().architecture, *cubin);
    cubins_[key_of_cubin] = cubin;
    cache_.put(key_of_cubin, *cubin);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        kernels_.insert_or_assign(keys[i], kernels[i]);
        cache_.put(to_text(keys[i]), encode_kernel(kernels[i], key_of_cubin));
    }
}

}  // namespace redtune::jit
